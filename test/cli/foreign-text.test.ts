// Names that other people wrote, and words that somebody pasted into a call: whichever command prints them, they are one line, and
// every sign in them can be seen.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { visibleText } from '../../src/core/text/foreign-text.ts'
import { foreignText, forgedLine } from '../support/files/foreign-fields.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

const house = ownHouse(() => openCommandHouse('apart'))
let slug: string

async function look(...words: string[]): Promise<string> {
  const { out, err } = await house.run(words)
  for (const line of `${out}${err}`.split('\n')) {
    expect(line, words.join(' ')).toBe(visibleText(line))
    expect(line.startsWith(forgedLine), `${words.join(' ')}: ${out}${err}`).toBe(false)
  }
  return `${out}${err}`
}
const here = (...words: string[]) => look(...words, '--workspace', slug)

beforeAll(async () => {
  ;({ slug } = await house.makeWorkspace())
})

/** Those that go on until they are stopped, or change more than a workspace. */
const apart = ['serve', 'demo', 'mcp', 'restore', 'backup', 'migrate']

describe('words of a call', () => {
  test('are shown in refusals of every command', async () => {
    for (const [name, load] of Object.entries(commands)) {
      if (apart.includes(name)) continue
      const { positionals, options } = await load()
      const named = Array.from({ length: Math.max(1, positionals.least) }, () => foreignText)
      const texts = Object.entries(options).filter(([, { type }]) => type === 'string')
      const given = texts.flatMap(([option]) => [`--${option}`, foreignText])
      await look(...name.split(' '), ...named.slice(0, positionals.most), ...given)
      await look(...name.split(' '), `--${foreignText}`)
      if (options.workspace !== undefined) await here(...name.split(' '), ...named.slice(0, positionals.most))
    }
  })
})

/** Texts that people write, where they are kept: what is refused at the entrance today may be there from before. */
const planted = {
  workspace: ['name'],
  person: ['name'],
  agreement_state: ['name', 'description'],
  series_metadata: ['name', 'unit', 'description'],
  party_name: ['name'],
  api_key: ['name'],
  upload: ['file_name', 'uploaded_by'],
  unit_factor: ['unit'],
  activity: ['who', 'subject'],
  objection: ['reason', 'name'],
  index_event: ['sentence', 'source'],
} as const

/** Those whose places commands print for certain. */
const printed = ['workspace.name', 'agreement_state.name', 'series_metadata.name', 'party_name.name', 'api_key.name']

async function plant(): Promise<void> {
  await house.installation.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    for (const [table, columns] of Object.entries(planted))
      for (const column of columns)
        await tx`update ${tx(table)} set ${tx(column)} = ${`${table}.${column} `} || ctid::text || ${foreignText}`
  })
}

describe('data', () => {
  test('are shown by every command that lists or shows them', async () => {
    const inQuotes = JSON.stringify(foreignText)
    const inCsv = `"${foreignText}"`
    await here('import', await house.write('plain.csv', steelTable))
    // Whatever of it is refused today was kept by somebody yesterday.
    await here('import', await house.write('named.csv', steelTable.replaceAll('Steel billets', inCsv)))
    await here('import', await house.write('problems.csv', steelTable.replaceAll('100.00', inCsv)))
    for (const document of [
      steelDocument(),
      steelDocument({ slug: 'named' }).replace('Steel brackets', inQuotes).replace('Quarterly adjustment', 'Q'),
      steelDocument({ slug: 'unknown', more: `${inQuotes}: 1` }),
    ]) {
      const file = await house.write('document.yaml', document)
      await look('agreement', 'check', file)
      await here('agreement', 'apply', file)
      await look(
        'evaluate',
        file,
        '--data',
        await house.write('data.csv', steelTable.replaceAll('Steel billets', inCsv)),
      )
      await look('agreement', 'show', file)
    }
    await here('user', 'create', 'ann@buyer.test', '--role', 'buyer', '--name', 'Ann')
    await here('party', 'create', 'acme', '--name', 'Acme')
    await here('key', 'create', '--name', 'erp')
    await here('feed', 'create', '--name', 'calendar')
    const event = [
      'an-event',
      '--kind',
      'ENDED',
      '--day',
      '2024-01-01',
      '--sentence',
      'It ended.',
      '--source',
      'A page.',
    ]
    await look('index-event', 'add', ...event)
    const lines = `agreement,invoice,line,date,item,quantity,unit,unit_price,amount,currency\nsteel,${inCsv},${inCsv},2024-05-10,${inCsv},1,${inCsv},1,1,EUR\n`
    await here('invoice', 'check', await house.write('lines.csv', lines))
    await here('invoice', 'import', await house.write('lines.csv', lines))
    await here('prices', 'apply', 'steel', await house.write('list.csv', `item,price\n${inCsv},1\n`))
    await here('unit', 'set', foreignText, foreignText, '2')
    await here(
      'agreement',
      'object',
      'steel',
      '--period',
      '2024-Q2',
      '--party',
      'buyer',
      '--as',
      'ann@buyer.test',
      '--reason',
      foreignText,
    )
    await plant()
    let told = ''
    for (const [name, load] of Object.entries(commands)) {
      if (
        apart.includes(name) ||
        !/ (list|show|export|quarantine|suspects|check)$|^(due|radar|ledger|adjustment|receipt)$/.test(name)
      )
        continue
      const { positionals, options } = await load()
      for (const named of positionals.most === 0 ? [[]] : [[], ['steel'], ['named'], ['CUSTOM/steel']])
        for (const json of [[], ['--json']]) {
          const words = [...name.split(' '), ...named, ...json]
          told += options.workspace === undefined ? await look(...words) : await here(...words)
        }
    }
    expect(told).toContain('\\u{202e}')
    expect(told).toContain('\\u202e')
    for (const place of printed) expect(told, place).toContain(`${place} `)
  })
})

test('nothing is printed but by the terminal that shows every sign', () => {
  const root = join(import.meta.dirname, '../../src')
  const printing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter(path =>
      /process\.(stdout|stderr)\.write|console\.(log|error|warn|info)\(/.test(readFileSync(join(root, path), 'utf8')),
    )
  expect(printing.sort()).toEqual(['cli/program.ts'])
})
