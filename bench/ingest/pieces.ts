// Reads one long SDMX-CSV answer in the pieces it comes in, in its own process, and prints speed and memory as JSON. The
// rows of the file are repeated as often as requested: memory must not grow with them.
import { openSync, readFileSync, readSync } from 'node:fs'
import { keepHeapSmall } from '../../src/cli/frame/heap.ts'
import { readSdmxCsv } from '../../src/providers/formats/sdmx-csv.ts'

export interface PiecesMeasure {
  readonly bytes: number
  readonly mbPerSecond: number
  readonly rowsPerSecond: number
  readonly problems: readonly string[]
  readonly peakMb: number
}

keepHeapSmall()
const [file, times] = process.argv.slice(2) as [string, string]
const descriptor = openSync(file, 'r')
const piece = Buffer.alloc(64 * 1024)
const total = { bytes: 0, rows: 0, microseconds: 0 }
const firstRow = readFileSync(file).indexOf('\n') + 1

/** The header once, then the rows again and again, cut without regard to where a row ends. */
function* pieces(repeats: number): Generator<string> {
  for (let turn = 0; turn < repeats; turn++)
    for (let at = turn === 0 ? 0 : firstRow; ; ) {
      const length = readSync(descriptor, piece, 0, piece.length, at)
      if (length === 0) break
      yield piece.toString('latin1', 0, length)
      at += length
      total.bytes += length
    }
}

function readPieces(repeats: number): readonly string[] {
  const start = process.threadCpuUsage()
  const problems = readSdmxCsv(pieces(repeats), ({ value }) => {
    if (value !== null) total.rows++
  })
  const { user, system } = process.threadCpuUsage(start)
  total.microseconds += user + system
  return problems.map(({ message }) => message)
}

/** Compilation is not measured. */
readPieces(1)
Object.assign(total, { bytes: 0, rows: 0, microseconds: 0 })
const problems = readPieces(Number.parseInt(times, 10))
const measure: PiecesMeasure = {
  bytes: total.bytes,
  mbPerSecond: total.bytes / total.microseconds,
  rowsPerSecond: (total.rows / total.microseconds) * 1e6,
  problems,
  peakMb: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(`${JSON.stringify(measure)}\n`)
