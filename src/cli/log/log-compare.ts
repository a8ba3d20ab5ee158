// `log compare`: writes what this installation recorded of the public series, or compares it with what another one wrote. A log
// shows that a record was not changed later; only a second record shows that it was what the provider published.
import { Refusal } from '../../core/refusal.ts'
import { canBeTheSame } from '../../core/series/compared-values.ts'
import { periodOf, writePeriod } from '../../core/time/period.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import { eachPublishedPeriod } from '../../storage/series/public-values.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { type Command, type Done, type Invocation, Misuse, textOption, writeJson } from '../frame/command.ts'
import { readTextFile, writeNewFile } from '../frame/files.ts'
import { withInstallation } from '../frame/installation.ts'
import { countOf } from '../frame/progress.ts'

const form = 'assize-public-values/1'

export const logCompareCommand: Command = {
  name: 'log compare',
  usage: '<file> | --save F',
  summary:
    'Compares the values of public series with those that another installation saved, and lists the periods that cannot come from the same publications.',
  options: {
    save: { type: 'string', value: 'F', help: 'writes the values recorded here to a new file, for the other' },
  },
  positionals: { least: 0, most: 1 },
  run(invocation) {
    const [file] = invocation.positionals
    const save = textOption(invocation, 'save')
    if ((file === undefined) === (save === null)) throw new Misuse('name a file of the other installation, or --save')
    return withInstallation(invocation, async ({ sql }) =>
      file === undefined ? write(sql, save!) : compare(invocation, sql, file),
    )
  },
}

async function eachLine(sql: Sql, take: (place: string, values: readonly string[]) => void): Promise<void> {
  await eachPublishedPeriod(sql, async periods => {
    for (const { provider, code, frequency, period, values } of periods)
      take(`${provider}\t${code}\t${writePeriod(periodOf(frequency, period))}`, values)
  })
}

async function write(sql: Sql, file: string): Promise<Done> {
  const lines = [form]
  await eachLine(sql, (place, values) => lines.push(`${place}\t${values.join(' ')}`))
  await writeNewFile(file, `${lines.join('\n')}\n`)
  const count = lines.length - 1
  return { json: { file, periods: count }, words: `${countOf(count, 'period')} in ${file}\n` }
}

interface Difference {
  readonly series: string
  readonly period: string
  readonly here: readonly string[]
  readonly there: readonly string[]
}

async function compare(invocation: Invocation, sql: Sql, file: string): Promise<number> {
  const there = await readValues(file)
  const differences: Difference[] = []
  let compared = 0
  await eachLine(sql, (place, here) => {
    const theirs = there.get(place)
    if (theirs === undefined) return
    compared++
    if (canBeTheSame(here, theirs)) return
    const [provider, code, period] = place.split('\t')
    differences.push({ series: `${provider} ${code}`, period: period!, here, there: theirs })
  })
  const { terminal } = invocation
  if (invocation.json) writeJson(invocation, { compared, differences })
  else {
    const rows = differences.map(each => [
      each.series,
      each.period,
      `here ${each.here.join(' ')}`,
      `there ${each.there.join(' ')}`,
    ])
    terminal.out(alignRows(rows, [], ''))
    terminal.out(
      `${countOf(compared, 'period')} that both have, ${rows.length === 0 ? 'none' : rows.length} of them different\n`,
    )
  }
  return differences.length === 0 ? 0 : 1
}

async function readValues(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const [first, ...lines] = (await readTextFile(file)).trimEnd().split('\n')
  if (first !== form) throw new Refusal('invalid', `${file} was not written by assize log compare --save`)
  return new Map(
    lines.map(line => {
      const at = line.lastIndexOf('\t')
      return [line.slice(0, at), line.slice(at + 1).split(' ')]
    }),
  )
}
