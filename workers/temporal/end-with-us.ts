/**
 * A guard that ends a child process with this one, even after SIGKILL, when no code of this process
 * runs.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Reads from a pipe that only this process holds. When the pipe ends, it stops the child, finally
 * by force.
 */
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

/**
 * Stops the child once this process has ended. Only POSIX has a shell for it; on Windows the next
 * command stops the child.
 */
export function endWithUs(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return
  const watcher = spawn('/bin/sh', ['-c', WATCH], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    // Neither Ctrl-C nor a closed terminal reaches the guard.
    detached: true,
  })
  // Without a shell there is no guard, and a guard that has ended reads nothing.
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.stdin.write(`${child.pid}\n`)
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  // Another process may soon have this number.
  child.once('exit', () => watcher.kill('SIGKILL'))
}
