// `node test/support/run/damaged.ts <folder> [count]`: writes damaged samples, the same ones every time, and in verdicts.jsonl what
// `assize verify` says about each. A second verifier is held to it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { damagedSamples, readSamples } from '../files/damaged-samples.ts'
import { verifiedLines } from '../files/verified-lines.ts'

const [folder, count = '2000'] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder to write into')
mkdirSync(folder, { recursive: true })
const verdicts: string[] = []
const keep = async (name: string, bytes: Buffer, damage: string | null) => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  verdicts.push(JSON.stringify({ file: name, damage, ...(await verifiedLines(path)) }))
}
for (const { name, bytes } of readSamples()) await keep(name, bytes, null)
for (const { name, bytes, damage } of damagedSamples(Number.parseInt(count, 10))) await keep(name, bytes, damage)
writeFileSync(join(folder, 'verdicts.jsonl'), `${verdicts.join('\n')}\n`)
process.stdout.write(`${verdicts.length} files and their verdicts written to ${folder}\n`)
