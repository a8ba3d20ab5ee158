// `node test/golden/write.ts [--again]`: writes the golden receipts that are missing. With --again all of them are written
// again: only for another edition of the rules, because receipts of one edition recompute forever.
import { existsSync, writeFileSync } from 'node:fs'
import { goldenCases } from './cases.ts'
import { fileOf } from './files.ts'
import { makeGolden } from './make.ts'

const again = process.argv.includes('--again')
let written = 0
for (const each of goldenCases) {
  const file = fileOf(each.name)
  if (existsSync(file) && !again) continue
  writeFileSync(file, `${JSON.stringify(makeGolden(each), null, 1)}\n`)
  written++
}
process.stdout.write(`${written} of ${goldenCases.length} golden receipts written\n`)
