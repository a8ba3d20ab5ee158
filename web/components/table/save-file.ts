// Saves the screen's data as a file on the person's computer.
import { formatCsv, type Sheet, spreadsheet, writeXlsx } from '../../../src/formats/sheet.ts'

export type { Sheet } from '../../../src/formats/sheet.ts'

export function saveFile(name: string, type: string, parts: readonly BlobPart[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

export function saveCsv(fileName: string, sheet: Sheet): void {
  saveFile(`${fileName}.csv`, 'text/csv', ['\ufeff', formatCsv(sheet)])
}

export function saveXlsx(fileName: string, sheet: Sheet): void {
  saveFile(`${fileName}.xlsx`, `${spreadsheet}.sheet`, [writeXlsx(sheet)])
}
