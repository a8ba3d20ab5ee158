// The indices of a pasted clause with names that a document may use, and the fields under these names.
import { callNames } from '../expression.ts'
import { builtinNames } from '../resolve.ts'
import type { Fill } from './rule.ts'

export interface PastedPart {
  /** Fit for the name of an input. */
  readonly name: string
  /** As the contract calls it. */
  readonly label: string
  /** The letter or the words of the formula. */
  readonly key: string
}

export function partsOf(fills: readonly Fill[]): readonly PastedPart[] {
  const keys = fills.flatMap(({ path }) => /^inputs\.([^*.][^.]*)\.weight$/u.exec(path)?.[1] ?? [])
  const taken = new Set<string>()
  return [...new Set(keys)].map(key => {
    const told = (what: string) => fills.find(({ path }) => path === `inputs.${key}.${what}`)?.value
    const label = told('name') ?? told('label') ?? key
    const name = freeName(label, taken)
    taken.add(name)
    return { name, label, key }
  })
}

/** The fields of a document: `inputs.*` for every input that is not told otherwise, and the names of indices in its description. */
export function placed(fills: readonly Fill[], parts: readonly PastedPart[]): readonly Fill[] {
  const fields = new Map<string, string>()
  for (const { path, value } of fills) {
    const [head, key, ...rest] = path.split('.')
    if (head !== 'inputs') {
      // A day that is named counts before the days of every year.
      if (path !== 'description' && !/^\d{4}-/u.test(fields.get(path) ?? '')) fields.set(path, value)
    } else if (key === '*') for (const { name } of parts) setOnce(fields, ['inputs', name, ...rest].join('.'), value)
  }
  for (const { path, value } of fills) {
    const [, key, what] = /^inputs\.([^*.][^.]*)\.(.+)$/u.exec(path) ?? []
    const part = parts.find(each => each.key === key)
    if (part === undefined || what === 'label' || what === 'name') continue
    for (const other of ['base', 'base.value'])
      if (what!.startsWith('base')) fields.delete(`inputs.${part.name}.${other}`)
    fields.set(`inputs.${part.name}.${what}`, value)
  }
  const description = [
    ...parts
      .filter(({ key, label }) => label.toLowerCase() !== key || /\d/u.test(label))
      .map(({ key, label }) => (label.toLowerCase() === key ? label : `${key.toUpperCase()}: ${label}`)),
    ...new Set(fills.filter(({ path }) => path === 'description').map(({ value }) => value)),
  ].join('; ')
  return [
    ...[...fields].map(([path, value]) => ({ path, value })),
    ...(description === '' ? [] : [{ path: 'description', value: description }]),
  ]
}

function setOnce(fields: Map<string, string>, path: string, value: string): void {
  if (!fields.has(path)) fields.set(path, value)
}

const plainLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
/** The lines of a clause have these names. */
const lines = ['factor', 'movement', 'payable', 'shared', 'target', 'step', 'pct', 'applied']
const reserved: ReadonlySet<string> = new Set([
  ...builtinNames,
  ...callNames,
  ...lines,
  'and',
  'or',
  'not',
  'true',
  'false',
])

function freeName(label: string, taken: ReadonlySet<string>): string {
  const plain = label
    .toLowerCase()
    .replace(/\(.*$/u, '')
    .replace(/[äöüß]/g, letter => plainLetters[letter]!)
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
  const base = plain === '' ? 'index' : plain.slice(0, 30).replace(/_+$/u, '')
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`
    if (!taken.has(name) && !reserved.has(name)) return name
  }
}
