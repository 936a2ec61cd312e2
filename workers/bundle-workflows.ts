/** Builds the workflow bundle that a worker loads at once instead of bundling at every start. */
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.js', import.meta.url)),
  workflowInterceptorModules: [fileURLToPath(new URL('../workflows/traced.js', import.meta.url))],
  logger: new DefaultLogger('WARN'),
})
writeFileSync(fileURLToPath(new URL('../workflow-bundle.js', import.meta.url)), code)
