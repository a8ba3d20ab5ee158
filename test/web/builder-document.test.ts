// The form and the text are one document: what a field writes is read back as it was typed, and nothing else changes.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { templates } from '../../src/core/formula/many/templates.ts'
import { isRawMap, type Raw, readRaw } from '../../src/core/formula/raw.ts'
import {
  addTo,
  formatPath,
  keysAt,
  listAt,
  moveAt,
  openDocument,
  type Path,
  type Plain,
  rawAt,
  renameAt,
  setAll,
  setAt,
  textAt,
} from '../../web/pages/agreements/builder/document/document.ts'

const annotated = `# Agreed on 12 March; see annex 4.
slug: steel-brackets
name: "Steel brackets, supplier A"      # as in the contract
description: >-
  Quarterly price of the bracket.
  Broken where the author
  broke it.
status: ACTIVE                          # since March

contract:
    start: 2024-01-01                   # four blanks deep
    frequency: QUARTERLY
    price: {amount: 12.40, currency: EUR,   unit: piece, round: {dp: 2}}   # per piece


inputs:
  # the metal
  steel:
    series: BLS/WPU101
    weight: 0.350                       # annex 4, line 2
    base: 2023-12
    lag: 1 month
  labour: { series: CUSTOM/labour, weight: 0.250, base: 2023-Q3, lag: 2 quarters }

clause:
  fixed: 0.40
  # asked before sharing
  threshold: { pct: 3.0, test: EXCEEDS, pays: ALL }
  cap:   { periodPct: 5.00, cumulativePct: 15 }
# the end
`

function changedLines(before: string, after: string): string[] {
  const old = before.split('\n')
  const lines = after.split('\n')
  return [
    ...lines.filter(line => !old.includes(line)).map(line => `+${line}`),
    ...old.filter(line => !lines.includes(line)).map(line => `-${line}`),
  ]
}

describe('a change to one field', () => {
  test('changes only its own line, whatever the layout of the rest', () => {
    const text = setAt(annotated, ['inputs', 'steel', 'weight'], '0.3500')
    expect(changedLines(annotated, text)).toEqual([
      '+    weight: 0.3500                       # annex 4, line 2',
      '-    weight: 0.350                       # annex 4, line 2',
    ])
  })

  test('changes as little as possible if it cannot replace a single word', () => {
    const text = setAt(annotated, ['inputs', 'steel', 'base'], { value: '245.30' })
    expect(changedLines(annotated, text)).toEqual(['+    base: { value: 245.30 }', '-    base: 2023-12'])
    const named = setAt(annotated, ['name'], 'Brackets: steel')
    expect(changedLines(annotated, named)).toEqual([
      '+name: "Brackets: steel" # as in the contract',
      '-name: "Steel brackets, supplier A"      # as in the contract',
    ])
  })

  test('keeps every comment', () => {
    const comments = annotated.match(/#.*$/gm)!
    const text = setAll(annotated, [
      [['contract', 'price', 'amount'], '13.00'],
      [['inputs', 'labour', 'window'], '2 quarters'],
      [['clause', 'floor'], { periodPct: '-5' }],
      [['name'], 'Another: name'],
      [['effectiveFrom'], '2024-07-01'],
      [['clause', 'cap', 'cumulativePct'], null],
    ])
    for (const comment of comments) expect(text).toContain(comment)
    expect(openDocument(text).unreadable).toBeNull()
  })

  test('keeps numbers as they are written, here and elsewhere', () => {
    const text = setAt(annotated, ['contract', 'price', 'amount'], '12.50')
    const { root } = openDocument(text)
    expect(textAt(root, ['contract', 'price', 'amount'])).toBe('12.50')
    expect(textAt(root, ['inputs', 'labour', 'weight'])).toBe('0.250')
    expect(text).toContain('cap:   { periodPct: 5.00, cumulativePct: 15 }')
    for (const digits of ['12.40', '1e3', '0x10', '007', '.5', '1_000', '10000000000000000000000.10'])
      expect(textAt(openDocument(setAt(annotated, ['clause', 'adder'], digits)).root, ['clause', 'adder'])).toBe(digits)
  })

  test('leaves the text as it is where nothing changes', () => {
    expect(setAt(annotated, ['inputs', 'steel', 'weight'], '0.350')).toBe(annotated)
    expect(setAt(annotated, ['clause', 'floor'], null)).toBe(annotated)
    expect(setAt(annotated, ['clause', 'threshold'], { pct: '3.0', test: 'EXCEEDS', pays: 'ALL' })).toBe(annotated)
  })

  test('puts a new key where people expect it', () => {
    const text = setAll(annotated, [
      [['clause', 'basis'], 'CHAINED'],
      [['inputs', 'steel', 'missing'], 'LAST_KNOWN'],
      [['inputs', 'steel', 'using'], 'MEAN'],
      [['parties', 'buyer'], ['ann@buyer.test']],
    ])
    const { root } = openDocument(text)
    expect(keysAt(root, [])).toEqual([
      'slug',
      'name',
      'description',
      'status',
      'contract',
      'parties',
      'inputs',
      'clause',
    ])
    expect(keysAt(root, ['clause'])).toEqual(['fixed', 'basis', 'threshold', 'cap'])
    expect(keysAt(root, ['inputs', 'steel'])).toEqual(['series', 'weight', 'base', 'lag', 'using', 'missing'])
    expect(text).toContain('\nparties:\n  buyer: [ ann@buyer.test ]\n')
  })

  test('removes with a value what would be left empty around it', () => {
    const { root } = openDocument(
      setAll(annotated, [
        [['clause', 'cap', 'cumulativePct'], null],
        [['clause', 'cap', 'periodPct'], null],
      ]),
    )
    expect(keysAt(root, ['clause'])).toEqual(['fixed', 'threshold'])
  })

  test('keeps the mappings a document must have, if empty', () => {
    const only = 'slug: a\ncontract: { start: 2024-01-01, frequency: ANNUAL }\nclause:\n  fixed: 0\n'
    const text = setAt(only, ['clause', 'fixed'], null)
    expect(isRawMap(rawAt(openDocument(text).root, ['clause']))).toBe(true)
  })

  test.each([
    'plain',
    '',
    'null',
    '~',
    'true',
    ' leading',
    'a: b',
    'a # b',
    '- dash',
    '{brace',
    "it's",
    '"quoted"',
    'two\nlines',
    'Ünïcode → ≥',
    '@at',
    '%percent',
    'x'.repeat(300),
    'word '.repeat(60).trim(),
    'two  blanks',
    'trailing ',
    'ends:',
    '-',
    '- 5',
    '?x',
    '2024-01-01',
    '[a]',
    'a,b',
  ])('writes the text %j so that it is read back', value => {
    for (const path of [['name'], ['description'], ['contract', 'price', 'unit']] as Path[]) {
      const text = setAt(annotated, path, value)
      const { root, unreadable } = openDocument(text)
      expect(unreadable).toBeNull()
      expect(rawAt(root, path)).toBe(value)
      expect(textAt(root, ['inputs', 'steel', 'series'])).toBe('BLS/WPU101')
    }
  })

  test('accepts a text with line ends of another system', () => {
    const text = setAt(annotated.replaceAll('\n', '\r\n'), ['clause', 'fixed'], '0.45')
    expect(textAt(openDocument(text).root, ['clause', 'fixed'])).toBe('0.45')
  })

  test('works on a document written as JSON', () => {
    const json = '{ "slug": "a", "clause": { "fixed": "0.40" }, "inputs": {} }'
    const text = setAt(json, ['clause', 'cap', 'periodPct'], '5.0')
    expect(rawAt(openDocument(text).root, ['clause', 'cap', 'periodPct'])).toBe('5.0')
  })

  test('leaves a text that cannot be read alone and says why', () => {
    const broken = 'slug: [a\nname: b\n'
    expect(setAt(broken, ['name'], 'c')).toBe(broken)
    expect(openDocument(broken).unreadable).toContain('line')
    expect(openDocument('').unreadable).toContain('empty')
    expect(openDocument('just words').unreadable).toContain('mapping')
  })
})

/** Every field of the form with something to type into it. */
const fields: readonly (readonly [Path, Plain])[] = [
  [['slug'], 'other-slug'],
  [['name'], 'Other name'],
  [['description'], 'What it is for: a sentence.'],
  [['status'], 'SUSPENDED'],
  [['effectiveFrom'], '2026-03-01'],
  [['contract', 'start'], '2020-02-29'],
  [['contract', 'end'], '2031-12-31'],
  [['contract', 'frequency'], '4 months'],
  [
    ['contract', 'dates'],
    ['2026-02-10', '2026-05-03'],
  ],
  [['contract', 'firstAdjustment'], '2026-01-31'],
  [['contract', 'restart'], 'true'],
  [
    ['contract', 'references'],
    ['FA-2024-17', 'order 7'],
  ],
  [['contract', 'priceDate'], 'ORDER'],
  [['contract', 'prorate'], 'DAYS'],
  [['contract', 'price', 'amount'], '12.40'],
  [['contract', 'price', 'currency'], 'GBP'],
  [['contract', 'price', 'unit'], 'tonne, dry'],
  [['contract', 'price', 'round'], { dp: '2', mode: 'HALF_EVEN' }],
  [
    ['parties', 'buyer'],
    ['ann@buyer.test', 'bob@buyer.test'],
  ],
  [['parties', 'supplier'], ['sam@supplier.test']],
  [['parties', 'supplier'], 'ohio-forge'],
  [['params', 'ceiling'], '4.50'],
  [['params', 'share'], [{ from: '2026-01-01', value: '0.35' }]],
  [['corrections'], { when: 'YEARLY', day: '03-31', min: { amount: '100', below: 'KEEP' }, settle: { spread: '3' } }],
  [['clause', 'fixed'], '0.150'],
  [['clause', 'tolerance'], '0.001'],
  [['clause', 'basis'], 'CHAINED'],
  [['clause', 'combine'], 'RATIO_OF_SUMS'],
  [['clause', 'adder'], '-0.50'],
  [['clause', 'threshold'], { pct: 'ceiling', test: 'REACHES', pays: 'EXCESS', since: 'BASE' }],
  [['clause', 'threshold', 'pct'], '2.50'],
  [['clause', 'threshold', 'inside'], 'RETURN'],
  [['clause', 'passThrough'], '0.50'],
  [
    ['clause', 'passThrough'],
    [{ upTo: '3', share: '1' }, { share: '0.50' }],
  ],
  [['clause', 'cap', 'periodPct'], '5.0'],
  [['clause', 'cap', 'cumulativePct'], 'ceiling'],
  [['clause', 'cap', 'carryForward'], 'true'],
  [['clause', 'cap', 'yearPct'], '4'],
  [['clause', 'cap', 'year'], 'ROLLING'],
  [['clause', 'floor', 'carryForward'], 'true'],
  [['clause', 'floor', 'periodPct'], '-5'],
  [['clause', 'floor', 'cumulativePct'], '-10.00'],
  [['clause', 'rounding', 'ratio'], { dp: '6', mode: 'DOWN' }],
  [['clause', 'rounding', 'factor'], { multiple: '0.005', mode: 'CEILING' }],
  [['clause', 'rounding', 'total'], { dp: '-3' }],
  [['clause', 'rounding', 'percent'], 'NONE'],
  [['clause', 'rounding', 'price'], { multiple: '0.05' }],
  [['result', 'show'], { dp: '3' }],
]

const inputFields: readonly (readonly [string, Plain])[] = [
  ['series', 'ECB/EXR/D.USD.EUR.SP00.A'],
  ['weight', '0.3500'],
  ['base', '2023-10..2023-12'],
  ['base', { value: '245.30' }],
  ['lag', '49 days'],
  ['lag', '-1 month'],
  ['window', '3 months'],
  ['window', { last: '5', least: '3' }],
  ['window', { from: '21', to: '20' }],
  ['expand', 'MONTHLY'],
  ['week', 'FRIDAY'],
  ['using', 'COMPOUND'],
  ['interpolate', 'DAILY'],
  ['pick', 'LATEST_PUBLISHED'],
  ['vintage', 'FIRST'],
  ['missing', 'LAST_KNOWN'],
  ['missing', { fallback: 'BLS/WPU1017' }],
  ['missing', { agreed: { '2025-10': '325.604', '2025': '1.0' } }],
  ['missing', { yoyEstimate: { capPct: '2.0' } }],
  ['missing', { yoyEstimate: {} }],
  ['missing', { trend: { over: '12 months', dp: '3' } }],
  ['successor', { series: 'CUSTOM/newer', method: 'OVERLAP', window: '24', automatic: 'true' }],
  [
    'convert',
    { fx: 'ECB/EXR/D.USD.EUR.SP00.A', operation: 'DIVIDE', lag: '1 month', window: '1 month', using: 'LAST' },
  ],
  ['convert', { fx: 'ECB/EXR/D.USD.EUR.SP00.A', operation: 'MULTIPLY', each: 'true', scale: '0.45359237' }],
  ['links', [{ series: 'CUSTOM/old', until: '2015-12', coefficient: '1.1276', round: { dp: '1' } }]],
  ['round', { dp: '1', mode: 'DOWN' }],
]

function plainOf(raw: Raw | undefined): Plain | null {
  if (raw === undefined || raw === null) return null
  if (typeof raw === 'string') return raw
  if (isRawMap(raw)) return Object.fromEntries([...raw].map(([key, value]) => [key, plainOf(value)!]))
  return raw.map(item => plainOf(item)!)
}

const grounds = [
  ...templates
    .filter(({ id }) => ['cpi-cap', 'nec-x1', 'surcharge-table'].includes(id))
    .map(({ id, write }) => [id, write(2026)] as const),
  ['annotated', annotated] as const,
]

describe('every field of the form', () => {
  test.each(grounds)('is read back from %s as it was written, and goes away again', (_, text) => {
    const input = keysAt(openDocument(text).root, ['inputs'])[0]!
    const all = [...fields, ...inputFields.map(([key, value]) => [['inputs', input, key] as Path, value] as const)]
    for (const [path, value] of all) {
      const written = setAt(text, path, value)
      const { root } = openDocument(written)
      expect([formatPath(path), plainOf(rawAt(root, path))]).toEqual([formatPath(path), value])
      expect([formatPath(path), rawAt(openDocument(setAt(written, path, null)).root, path)]).toEqual([
        formatPath(path),
        undefined,
      ])
    }
  })

  test.each(grounds)('leaves the other fields of %s as they are', (_, text) => {
    const before = openDocument(text).root
    const input = keysAt(before, ['inputs'])[0]!
    const all = [...fields, ...inputFields.map(([key, value]) => [['inputs', input, key] as Path, value] as const)]
    for (const [path, value] of all) {
      const after = openDocument(setAt(text, path, value)).root
      for (const key of keysAt(before, []))
        if (key !== path[0]) expect(plainOf(rawAt(after, [key]))).toEqual(plainOf(rawAt(before, [key])))
    }
  })

  test('makes a document in order from an almost empty one', () => {
    const text = setAll('slug: made\n', [
      [['contract', 'start'], '2024-01-01'],
      [['contract', 'frequency'], 'QUARTERLY'],
      [['inputs', 'steel'], { series: 'BLS/WPU101', weight: '0.60', base: '2023-12', lag: '1 month' }],
      [['clause', 'fixed'], '0.40'],
      [['clause', 'rounding', 'percent'], { dp: '2' }],
    ])
    expect(checkDocument(text).problems).toEqual([])
    expect(text).toBe(`slug: made

contract:
  start: 2024-01-01
  frequency: QUARTERLY

inputs:
  steel:
    series: BLS/WPU101
    weight: 0.60
    base: 2023-12
    lag: 1 month

clause:
  fixed: 0.40
  rounding: { percent: { dp: 2 } }
`)
  })
})

describe('lists and names', () => {
  const stepped = templates.find(({ id }) => id === 'nec-x1')!.write(2026)

  test('renames a key in its place', () => {
    const text = renameAt(annotated, ['inputs', 'steel'], 'metal')
    expect(keysAt(openDocument(text).root, ['inputs'])).toEqual(['metal', 'labour'])
    expect(text).toContain('  # the metal\n  metal:\n')
  })

  test('moves, adds and removes an entry of a list', () => {
    const names = (text: string) => listAt(openDocument(text).root, ['steps']).map(step => textAt(step, ['name']))
    expect(names(moveAt(stepped, ['steps'], 0, 1))).toEqual(['steel_part', 'labour_part', 'paf', 'factor'])
    expect(moveAt(stepped, ['steps'], 0, -1)).toBe(stepped)
    expect(moveAt(stepped, ['steps'], 3, 4)).toBe(stepped)
    expect(names(setAt(stepped, ['steps', 1], null))).toEqual(['labour_part', 'paf', 'factor'])
    const added = addTo(stepped, ['steps'], { name: 'last', expr: 'factor * 2' })
    expect(names(added)).toEqual(['labour_part', 'steel_part', 'paf', 'factor', 'last'])
    expect(names(addTo(annotated, ['steps'], { name: 'first', expr: '1' }))).toEqual(['first'])
  })

  test('names places as problems do', () => {
    expect(formatPath(['inputs', 'steel', 'links', 0, 'series'])).toBe('inputs.steel.links[0].series')
    expect(formatPath(['slug'])).toBe('slug')
  })

  test('reads what the engine reads', () => {
    const { root } = openDocument(annotated)
    expect(root).toEqual(readRaw(annotated).root)
    expect(rawAt(root, ['contract', 'start', 'deeper'])).toBeUndefined()
    expect(textAt(root, ['contract'])).toBe('')
  })
})
