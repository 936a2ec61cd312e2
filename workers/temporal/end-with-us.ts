/**
 * A guard that ends a child process with this one, even after SIGKILL, when no code of this process
 * runs.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Reads from a pipe that only this process holds. Each line makes it look at the child's start and command line. When
 * the pipe ends, it stops the child, finally by force, unless another process has its number by then.
 */
const WATCH = `
look() {
  if [ -r /proc/self/stat ]; then
    stat=$(cat "/proc/$1/stat" 2>/dev/null) && set -- "$1" \${stat##*) } &&
      echo "\${21} $(tr '\\0' ' ' <"/proc/$1/cmdline")"
  else
    LC_ALL=C ps -ww -o lstart=,command= -p "$1"
  fi
}
while read -r pid; do
  child=$pid
  seen=$(look "$child")
done
is_it() { [ -n "$seen" ] && [ "$(look "$child")" = "$seen" ]; }
is_it || exit 0
kill "$child" 2>/dev/null
for second in 1 2 3 4 5; do
  sleep 1
  is_it || exit 0
done
kill -9 "$child" 2>/dev/null
`

export interface Guard {
  /** Looks at the child again, whose command line may have changed. */
  look(): void
}

/**
 * Stops the child once this process has ended. Only POSIX has a shell for it; on Windows the next
 * command stops the child.
 */
export function endWithUs(child: ChildProcess): Guard {
  if (child.pid === undefined || process.platform === 'win32') return { look: () => {} }
  const watcher = spawn('/bin/sh', ['-c', WATCH], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    // Neither Ctrl-C nor a closed terminal reaches the guard.
    detached: true,
  })
  // Without a shell there is no guard, and a guard that has ended reads nothing.
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  const look = () => void watcher.stdin.write(`${child.pid}\n`)
  look()
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  // The watcher ends with the child, since another process may soon have the child's number.
  child.once('exit', () => watcher.kill('SIGKILL'))
  return { look }
}
