#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Every file of this process and of its server is for its owner alone, whatever the shell's umask.
process.umask(0o077)

const built = new URL('../dist/cli/', import.meta.url)
if (existsSync(fileURLToPath(new URL('main.js', built)))) {
  // Whoever gives up while the program is being loaded is heard, too.
  const { listenForInterruptions } = await import(new URL('shell/interrupted.js', built).href)
  const signal = listenForInterruptions()
  const { main } = await import(new URL('main.js', built).href)
  process.exitCode = await main(process.argv.slice(2), signal)
  // Native threads may outlive the work; nothing is left to do here.
  process.exit()
} else {
  process.stderr.write('error config_missing: tieout is not built; next: npm ci\n')
  process.exitCode = 2
}
