#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const entry = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(fileURLToPath(entry))) {
  const { main } = await import(entry.href)
  process.exitCode = await main(process.argv.slice(2))
  // Native threads may outlive the work; nothing is left to do here.
  process.exit()
} else {
  process.stderr.write('error config_missing: tieout is not built; next: npm ci\n')
  process.exitCode = 2
}
