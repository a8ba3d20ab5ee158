// Preloaded into a server that a test starts: it stops in order when the process that started it is gone, however that has
// ended. Nothing is ever written to it; only the end counts.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume()
  process.stdin.unref()
}
