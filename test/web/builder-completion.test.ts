// Where the cursor is in a half-written document, and what is offered there.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { callNames } from '../../src/core/formula/expression.ts'
import { builtinNames } from '../../src/core/formula/resolve.ts'
import { allKeys } from '../../src/core/formula/schema.ts'
import {
  builtins,
  calls,
  isParamPlace,
  isSeriesPlace,
  keysFor,
  valuesFor,
} from '../../web/pages/agreements/builder/editor/vocabulary.ts'
import { placeAt } from '../../web/pages/agreements/builder/editor/yaml-place.ts'

/** The cursor is at the bar. */
function at(text: string) {
  const offset = text.indexOf('|')
  const place = placeAt(text.replace('|', ''), offset)
  if (place === null) return null
  expect(place.from).toBe(offset - place.word.length)
  return [place.path.join('.'), place.key, place.word]
}

describe('the place of the cursor', () => {
  test.each([
    ['sl|', ['', null, 'sl']],
    ['status: AC|', ['', 'status', 'AC']],
    ['contract:\n  fre|', ['contract', null, 'fre']],
    ['contract:\n  frequency: |', ['contract', 'frequency', '']],
    ['contract:\n  start: 2024-01-01\n|', ['', null, '']],
    ['contract:\n  start: 2024-01-01\n  |', ['contract', null, '']],
    ['inputs:\n  steel:\n    series: BLS/W|', ['inputs.steel', 'series', 'BLS/W']],
    ['inputs:\n  steel:\n    series: a\n  labour:\n    la|', ['inputs.labour', null, 'la']],
    ['inputs:\n  # words: here\n  steel:\n\n    wei|', ['inputs.steel', null, 'wei']],
    ['clause:\n  threshold: { pct: 3, te|', ['clause.threshold', null, 'te']],
    ['clause:\n  threshold: { pct: 3, test: E|', ['clause.threshold', 'test', 'E']],
    ['clause:\n  rounding: { percent: { d|', ['clause.rounding.percent', null, 'd']],
    ['clause:\n  rounding: { percent: { dp: 2 }, fa|', ['clause.rounding', null, 'fa']],
    ['clause:\n  cap: {\n    per|', ['clause.cap', null, 'per']],
    ['clause:\n  passThrough: [{ upTo: 3, share: 1 }, { sh|', ['clause.passThrough.*', null, 'sh']],
    ['clause:\n  passThrough: [{ upTo: 3, share: 1 }]\n  ca|', ['clause', null, 'ca']],
    ['steps:\n  - name: a\n    ex|', ['steps.*', null, 'ex']],
    ['steps:\n- name: a\n  expr: b\n- na|', ['steps.*', null, 'na']],
    ['steps:\n- name: a\nresult: { ki|', ['result', null, 'ki']],
    ['steps:\n  - { name: a, expr: "min(a, b)", ro|', ['steps.*', null, 'ro']],
    ['steps:\n  - { name: a, round: { mode: F|', ['steps.*.round', 'mode', 'F']],
    ['inputs: { steel: { ser|', ['inputs.steel', null, 'ser']],
    ['inputs:\n  steel: { series: A/B,\n    lag: 1|', ['inputs.steel', 'lag', '1']],
    ['inputs:\n  "iron ore":\n    la|', ['inputs.iron ore', null, 'la']],
  ])('in %j', (text, expected) => {
    expect(at(text)).toEqual(expected)
  })

  test('is nowhere in a comment or after closed braces', () => {
    expect(at('slug: a # wor|')).toBeNull()
    expect(at('# wor|')).toBeNull()
    expect(at('clause:\n  cap: { periodPct: 3 } |')).toBeNull()
  })
})

describe('what is offered', () => {
  const labels = (words: readonly { readonly label: string }[]) => words.map(({ label }) => label)

  test('knows the keys of every place', () => {
    expect(labels(keysFor([]))).toContain('effectiveFrom')
    expect(labels(keysFor(['inputs', 'steel']))).toContain('interpolate')
    expect(labels(keysFor(['inputs', 'steel', 'links', '*']))).toContain('coefficient')
    expect(labels(keysFor(['clause', 'rounding', 'percent']))).toEqual(['dp', 'multiple', 'mode'])
    expect(labels(keysFor(['inputs']))).toEqual([])
    expect(labels(valuesFor(['clause', 'threshold', 'test']))).toEqual(['EXCEEDS', 'REACHES'])
    expect(labels(valuesFor(['steps', '*', 'round', 'mode']))).toContain('CEILING')
    expect(isSeriesPlace(['inputs', 'steel', 'convert', 'fx'])).toBe(true)
    expect(isSeriesPlace(['inputs', 'steel', 'lag'])).toBe(false)
    expect(isParamPlace(['clause', 'cap', 'periodPct'])).toBe(true)
  })

  const specs = allKeys()
  /** A place as somebody writes it: any name in the place of `*`, a number where it is a list. */
  const placeOf = (path: string) => path.split('.').map(part => (part === '*' ? 'any' : part))

  test('offers every key of the tables at its place, with a line about it', () => {
    for (const { path, label, help } of specs.filter(spec => !spec.path.endsWith('*'))) {
      const place = placeOf(path)
      const offered = keysFor(place.slice(0, -1)).find(word => word.label === place.at(-1))
      expect([path, offered?.detail]).toEqual([path, label])
      expect(offered?.info?.toLowerCase()).toBe(help.toLowerCase())
      expect(offered?.apply).toMatch(new RegExp(`^${place.at(-1)}:\\s`))
    }
  })

  test('offers no key besides', () => {
    const places = new Set(specs.map(({ path }) => path.split('.').slice(0, -1).join('.')))
    const offered = [...places].flatMap(place =>
      keysFor(place === '' ? [] : placeOf(place)).map(({ label }) => (place === '' ? label : `${place}.${label}`)),
    )
    expect(offered.sort()).toEqual(
      specs
        .map(({ path }) => path)
        .filter(path => !path.endsWith('*'))
        .sort(),
    )
  })

  test('offers every choice of the tables, and says which one is the default', () => {
    for (const { path, value, otherwise } of specs) {
      const offered = valuesFor(placeOf(path))
      if (value.kind === 'choice')
        expect([path, labels(offered)]).toEqual([path, value.choices.map(each => each.value)])
      if (value.kind === 'truth') expect(labels(offered)).toEqual(['true', 'false'])
      if (value.kind === 'rounding') expect(labels(offered)).toContain('NONE')
      if ((value.kind === 'choice' || value.kind === 'truth') && otherwise !== undefined)
        expect(offered.filter(({ detail }) => detail.endsWith('the default')).map(({ label }) => label)).toEqual([
          otherwise,
        ])
    }
  })

  test('knows from the tables where a series or the name of a param may be', () => {
    for (const { path, value } of specs) {
      expect([path, isSeriesPlace(placeOf(path))]).toEqual([path, value.kind === 'series'])
      expect([path, isParamPlace(placeOf(path))]).toEqual([path, value.kind === 'number' && value.param])
    }
    expect(isParamPlace(['inputs', 'steel', 'weight'])).toBe(true)
  })

  test('offers only frequencies and ways of payment that the engine accepts', () => {
    const problemsAt = (text: string, path: string) => checkDocument(text).problems.filter(each => each.path === path)
    for (const { label } of valuesFor(['contract', 'frequency']))
      expect(problemsAt(`contract: { start: 2024-01-01, frequency: ${label} }`, 'contract.frequency')).toEqual([])
    expect(labels(valuesFor(['contract', 'frequency']))).toEqual(expect.arrayContaining(['DAILY', 'WEEKLY', '2 weeks']))
    for (const { label } of valuesFor(['corrections', 'settle']))
      expect(problemsAt(`corrections: { when: EACH, settle: ${label} }`, 'corrections.settle')).toEqual([])
  })

  test('offers every call and name the engine knows', () => {
    expect(labels(calls).sort()).toEqual([...callNames].sort())
    expect(labels(builtins).sort()).toEqual([...builtinNames].sort())
    for (const { label, detail } of calls) expect(detail).toContain(`${label}(`)
    for (const { detail } of builtins) expect(detail).not.toBe('')
  })
})
