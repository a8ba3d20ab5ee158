// Imported by a server: says on standard error how long its main thread worked without a turn for others, where that was long.
// It is the time of a processor that counts: a machine that is busy with other things does not make a turn longer.
import { isMainThread } from 'node:worker_threads'

const [everyMs, toldFromMs] = [5, 25]

if (isMainThread) {
  let before = process.threadCpuUsage()
  setInterval(() => {
    const now = process.threadCpuUsage()
    const heldMs = (now.user + now.system - before.user - before.system) / 1_000
    before = now
    if (heldMs >= toldFromMs) process.stderr.write(`held for ${heldMs.toFixed(0)} ms\n`)
  }, everyMs).unref()
}
