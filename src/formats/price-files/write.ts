// Writes the prices of one or several agreements in the format of the system that will load them.
import type { ExactRow } from '../../core/prices/price-rows.ts'
import { writeBusinessCentral, writePurchaseJournal, writeSalesJournal } from './dynamics.ts'
import { writeGenericCsv, writeGenericJson } from './generic.ts'
import type { FileWriter, PriceFileOptions, PriceFormat, WrittenFile } from './price-file.ts'
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

/** The rows come by agreement, item, step and validity. */
export function writePriceFile(format: PriceFormat, rows: readonly ExactRow[], options: PriceFileOptions): WrittenFile {
  return writers[format](rows, options)
}
