/** Builds the workflow bundle that a worker loads at once instead of bundling at every start. */
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const pathOf = (name: string) => fileURLToPath(new URL(`../workflows/${name}.js`, import.meta.url))

const { code } = await bundleWorkflowCode({
  workflowsPath: pathOf('index'),
  workflowInterceptorModules: [pathOf('refused'), pathOf('traced')],
  payloadConverterPath: pathOf('data-converter'),
  failureConverterPath: pathOf('data-converter'),
  logger: new DefaultLogger('WARN'),
})
writeFileSync(fileURLToPath(new URL('../workflow-bundle.js', import.meta.url)), code)
