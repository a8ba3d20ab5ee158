// Keeps every agreement and its item prices in copy.json. Run it as often as you like; ASSIZE_URL and ASSIZE_KEY say where.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Assize, type Copy } from '@assize/client'

const file = process.argv[2] ?? 'copy.json'
const before: Copy | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const copy = await new Assize().sync(before)

for (const slug of copy.changed) {
  const agreement = copy.agreements[slug]
  const prices = copy.prices[slug] ?? []
  if (agreement === undefined) console.log(`${slug}: no longer there`)
  else console.log(`${slug}: ${agreement.period} is ${agreement.status}, ${prices.length} prices`)
  for (const { item, fromQuantity, price, currency, per, unit } of prices)
    console.log(`  ${item} from ${fromQuantity} on: ${price} ${currency} per ${per} ${unit}`)
}

writeFileSync(`${file}.new`, JSON.stringify(copy))
renameSync(`${file}.new`, file)
console.log(`${Object.keys(copy.agreements).length} agreements, ${copy.changed.length} changed`)
