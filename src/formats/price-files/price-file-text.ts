// Writes the prices of one or several agreements in the format of the system that will load them.
import type { ExactRow } from '../../core/prices/price-rows.ts'
import { writeBusinessCentral, writePurchaseJournal, writeSalesJournal } from './dynamics.ts'
import { writeGenericCsv, writeGenericJson } from './generic.ts'
import type { FileProblem, FileWriter, PriceFileOptions, PriceFormat, WrittenFile } from './price-file.ts'
import { writeSapCsv, writeSapIdoc } from './sap.ts'

const writers: Readonly<Record<PriceFormat, FileWriter>> = {
  csv: writeGenericCsv,
  json: writeGenericJson,
  'sap-csv': writeSapCsv,
  'sap-idoc': writeSapIdoc,
  'd365-purchase': writePurchaseJournal,
  'd365-sales': writeSalesJournal,
  bc: writeBusinessCentral,
}

type RefusedFile = Exclude<WrittenFile, { readonly text: string }>

/** A file, and the problems of the agreements that it leaves out. */
type FittingFile = Exclude<WrittenFile, RefusedFile> & { readonly unfit: readonly FileProblem[] }

/** The file or its problems. The rows come by agreement, item, step and validity. */
export function writeAll(
  format: PriceFormat,
  rows: readonly ExactRow[],
  options: PriceFileOptions,
): FittingFile | RefusedFile {
  const written = writers[format](rows, options)
  return 'text' in written ? { ...written, unfit: [] } : written
}

/** The file without the agreements that do not fit the format: an agreement is in it with all of its items or not at all. */
export function writeWhatFits(
  format: PriceFormat,
  rows: readonly ExactRow[],
  options: PriceFileOptions,
): FittingFile | RefusedFile {
  const unfit: FileProblem[] = []
  for (let rest = rows; ; ) {
    const written = writeAll(format, rest, options)
    if ('text' in written) return { ...written, unfit }
    const ofWhole = written.problems.filter(({ agreement }) => agreement === null)
    if (ofWhole.length > 0) return { problems: ofWhole }
    unfit.push(...written.problems)
    const left = new Set(written.problems.map(({ agreement }) => agreement))
    rest = rest.filter(({ row }) => !left.has(row.agreement))
  }
}
