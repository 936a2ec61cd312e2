/** Runs a TypeScript file of the project as a program: `node bench/run.mjs bench/sweep.ts …`. */
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// Types are stripped and nothing else: calls between modules cost what they cost in production.
register('./strip-types.mjs', import.meta.url)
const file = process.argv[2]
process.argv.splice(1, 2, file)
const module = await import(pathToFileURL(resolve(file)).href)
process.exitCode = await module.main()
