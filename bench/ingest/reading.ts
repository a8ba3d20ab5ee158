// Parses the answers of one form repeatedly, in its own process, each from its file as it would come from the network, and
// prints speed and memory as JSON. Only the time of this thread counts, so that a busy machine matters little.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepHeapSmall } from '../../src/cli/frame/heap.ts'
import type { ProviderName } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { Answer } from '../../src/providers/provider.ts'

export interface ReadingMeasure {
  readonly bytes: number
  readonly rows: number
  readonly mbPerSecond: number
  readonly rowsPerSecond: number
  readonly problems: readonly string[]
  /** The peak of the process when all answers were read this many times. */
  readonly peakMb: Readonly<Record<number, number>>
}

const peaksAfter = [3, 15] as const

interface Task {
  readonly provider: ProviderName
  readonly answers: readonly Omit<Answer, 'body'>[]
}

keepHeapSmall()
const folder = process.argv[2]!
const { provider, answers } = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8')) as Task
const { read } = providers[provider]
const problems = new Set<string>()
const total = { bytes: 0, rows: 0, microseconds: 0 }

function readAll(): void {
  answers.forEach((answer, at) => {
    const body = readFileSync(join(folder, `${at}.body`), 'utf8')
    const start = process.threadCpuUsage()
    const reading = read({ ...answer, body })
    const { user, system } = process.threadCpuUsage(start)
    total.microseconds += user + system
    total.bytes += Buffer.byteLength(body)
    for (const { observations } of reading.series) total.rows += observations.length
    // A page says that there are more; here there is only one.
    for (const { kind, message } of reading.problems) if (kind !== 'too-large') problems.add(message)
  })
}

/** Compilation is not measured. */
readAll()
Object.assign(total, { bytes: 0, rows: 0, microseconds: 0 })
const peakMb: Record<number, number> = {}
let done = 0
for (const times of peaksAfter) {
  for (; done < times; done++) readAll()
  peakMb[times] = process.resourceUsage().maxRSS / 1024
}
const measure: ReadingMeasure = {
  bytes: total.bytes / done,
  rows: total.rows / done,
  mbPerSecond: total.bytes / total.microseconds,
  rowsPerSecond: (total.rows / total.microseconds) * 1e6,
  problems: [...problems].slice(0, 3),
  peakMb,
}
process.stdout.write(`${JSON.stringify(measure)}\n`)
