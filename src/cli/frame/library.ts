// The library that a command answers from: series, agreements and prices, read on demand.
import { Library } from '../../read/library.ts'
import { RowSeals } from '../../storage/log/row-seals.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import type { Invocation } from './command.ts'

/** Enough for the largest agreement, and for the agreements of one file. */
const memoryBytes = 256 * 1024 * 1024

export function openLibrary({ sql, ring }: Installation, { terminal }: Invocation): Library {
  return new Library(sql, memoryBytes, {
    seals: new RowSeals(ring),
    report: problem => terminal.err(`assize: ${problem}\n`),
  })
}
