/** Runs a TypeScript file of the project as a program: `node bench/run.mjs bench/sweep.ts …`. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runnerImport } from 'vite'

const file = process.argv[2]
process.argv.splice(1, 2, file)
const { module } = await runnerImport(pathToFileURL(resolve(file)).href, {
  configFile: false,
  logLevel: 'error',
})
process.exitCode = await module.main()
