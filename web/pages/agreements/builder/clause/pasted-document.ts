// A pasted clause as a document to start from: what was understood is filled in, the rest has values to start with, which the
// page names.
import type { PastedClause } from '../../../../../src/core/formula/pasted/pasted-clause.ts'
import { knownKeys, type Path, type Plain, setAll } from '../document/document.ts'

interface Start {
  readonly path: Path
  readonly value: string
  /** What the clause does not say. */
  readonly words: string
}

/** `year` is the current year. */
export function pastedDocument(clause: PastedClause, year: number): string {
  const names = clause.parts.length === 0 ? ['index'] : clause.parts.map(({ name }) => name)
  const tree: Branch = { contract: {}, inputs: {}, clause: {} }
  for (const name of names) put(tree, ['inputs', name, 'series'], `CUSTOM/${name}`)
  if (clause.parts.length === 0) put(tree, ['inputs', 'index', 'weight'], '1')
  for (const { path, value } of clause.fills) put(tree, path.split('.'), value)
  for (const { path, value } of startsOf(clause, year)) put(tree, path, value)
  const { start, firstAdjustment: first } = tree.contract as {
    readonly start: string
    readonly firstAdjustment?: string
  }
  if (first?.startsWith('each '))
    put(tree, ['contract', 'firstAdjustment'], firstAfter(start, first.split(' ').slice(1)))
  return setAll(
    head,
    ['description', 'contract', 'inputs', 'clause'].flatMap(key =>
      tree[key] === undefined ? [] : [[[key], inOrder(tree[key], [key])] as const],
    ),
  )
}

const head = `slug: pasted-clause
name: Pasted clause
description: ""
status: DRAFT
parties:
  # Who signs for the supplier: the slug of a party, or a list of e-mail addresses. Until it is named, no supplier sees this.
  supplier: []
`

type Branch = { [key: string]: string | Branch }

function put(tree: Branch, path: Path, value: string): void {
  let here = tree
  for (const key of path.slice(0, -1)) {
    const next = here[key]
    const below = typeof next === 'object' ? next : {}
    here[key] = below
    here = below
  }
  here[path.at(-1)!] = value
}

/** With the keys in the order in which people expect them. */
function inOrder(value: string | Branch, path: Path): Plain {
  if (typeof value === 'string') return value
  const order = knownKeys(path)
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b))
  return Object.fromEntries(keys.map(key => [key, inOrder(value[key]!, [...path, key])]))
}

/** What the clause does not say, in words: the form has values to start with there. */
export function unsaidBy(clause: PastedClause): readonly string[] {
  return [...new Set(startsOf(clause, 2000).map(({ words }) => words))]
}

function startsOf({ parts, fills }: PastedClause, year: number): readonly Start[] {
  const has = (path: string) => fills.some(each => each.path === path || each.path.startsWith(`${path}.`))
  const begins = startOf(fills, year)
  const starts: Start[] = [
    { path: ['contract', 'start'], value: begins, words: 'the start of the contract' },
    { path: ['contract', 'frequency'], value: 'QUARTERLY', words: 'how often prices are adjusted' },
  ]
  if (has('clause.threshold'))
    starts.push({
      path: ['clause', 'threshold', 'pays'],
      value: 'ALL',
      words: 'how much is paid beyond the threshold',
    })
  if (has('contract.price'))
    starts.push({ path: ['contract', 'price', 'round', 'dp'], value: '2', words: 'how prices are rounded' })
  for (const { name } of parts.length === 0 ? [{ name: 'index' }] : parts) {
    starts.push({
      path: ['inputs', name, 'base'],
      value: `${Number(begins.slice(0, 4)) - 1}-12`,
      words: 'the base of the index',
    })
    if (!has(`inputs.${name}.pick`))
      starts.push({ path: ['inputs', name, 'lag'], value: '2 months', words: 'which month of the index counts' })
  }
  return starts.filter(({ path }) => !has(path.join('.')) && !(path.includes('round') && has('clause.rounding.price')))
}

/** A year before a first adjustment that is named; otherwise so that there is a history to look at. */
function startOf(fills: PastedClause['fills'], year: number): string {
  const told = (path: string) => fills.find(each => each.path === path)?.value
  const first = told('contract.firstAdjustment') ?? ''
  const usual = /^\d{4}-/.test(first) ? `${Number(first.slice(0, 4)) - 1}${first.slice(4)}` : `${year - 1}-01-01`
  return told('contract.start') ?? usual
}

/** The first of some days of the year after a day. */
function firstAfter(day: string, days: readonly string[]): string {
  const year = Number(day.slice(0, 4))
  const all = [year, year + 1].flatMap(each => [...days].sort().map(one => `${each}-${one}`))
  return all.find(one => one > day)!
}
