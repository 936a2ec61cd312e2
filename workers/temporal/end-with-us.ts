/** A child process that must not outlive this one, however this one ends: by SIGKILL nothing of its own runs any more. */
import { spawn, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/** Reads from a pipe that only this process holds. It ends with this process, and then the child is stopped, by force at last. */
const WATCH = `
read -r child
read -r _
kill "$child" 2>/dev/null
for second in 1 2 3 4 5; do
  sleep 1
  kill -0 "$child" 2>/dev/null || exit 0
done
kill -9 "$child" 2>/dev/null
`

/** Stops the child once this process has ended. POSIX alone has a shell for it: on Windows the next command stops the child. */
export function endWithUs(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return
  const watcher = spawn('/bin/sh', ['-c', WATCH], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    // Neither Ctrl-C nor a closed terminal reaches it.
    detached: true,
  })
  // A machine that has no shell has no watcher, and a watcher that has ended reads nothing.
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.stdin.write(`${child.pid}\n`)
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  // Its number may soon be another process's.
  child.once('exit', () => watcher.kill('SIGKILL'))
}
