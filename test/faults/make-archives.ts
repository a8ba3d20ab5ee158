// `node make-archives.ts <folder> <seed> <count> <kind>…`: writes oversized workbooks, up to three sizes of each kind, named by
// their index. In its own process, so that creating them uses no memory of the measured one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { burstingArchives } from '../support/files/bursting-archives.ts'
import { Chance } from './chance.ts'

const [folder, seed, count, ...kinds] = process.argv.slice(2) as [string, string, string, ...string[]]
const chance = new Chance(Number.parseInt(seed, 10))
const sizes = [chance.int(60_000, 120_000), chance.int(150_000, 250_000), chance.int(300_000, 400_000)]
const all = sizes.flatMap(size =>
  kinds.map(kind => () => burstingArchives.find(({ name }) => name === kind)!.make(size)),
)
for (const [i, make] of all.slice(0, Number.parseInt(count, 10)).entries())
  writeFileSync(join(folder, `${i}.xlsx`), make())
