// The formula document after a splice: the text of the version before it, in which only the series and links of the inputs
// change, with RELEVEL their base, and the day from which it governs. Everything else stays as it is, byte for byte.

import { type JsonObject, rawToJson } from '../formula/canonical.ts'
import { documentDifferences } from '../formula/document-differences.ts'
import type { Input, Link } from '../formula/formula.ts'
import { isRawMap, type Raw, type RawMap, readRaw } from '../formula/raw.ts'
import { formatExact, multiply, ratio } from '../numbers/ratio.ts'
import { Refusal } from '../refusal.ts'
import { type Day, formatDay } from '../time/day.ts'
import { formatPeriod, type Period, shift } from '../time/period.ts'
import type { Coefficient } from './coefficient.ts'
import { DocumentEdit } from './document-edit.ts'

/** The place where an input reads the replaced series: its own series, or the last of its links. */
type ReplacedPlace = { readonly kind: 'series' } | { readonly kind: 'link'; readonly index: number }

/** The place where an input reads a series for its newest periods; null where it does not. */
export function placeOf({ series, links }: Pick<Input, 'series' | 'links'>, reference: string): ReplacedPlace | null {
  const open = links
    .map((link, index) => ({ link, index }))
    .filter(({ link }) => link.until === null && link.from !== null)
    .sort((a, b) => a.link.from!.ordinal - b.link.from!.ordinal)
    .at(-1)
  if (open !== undefined) return open.link.series === reference ? { kind: 'link', index: open.index } : null
  return series === reference ? { kind: 'series' } : null
}

export interface InputChange {
  readonly input: string
  readonly place: ReplacedPlace
  /** The base for RELEVEL as it is written now: a label or a value. */
  readonly base: { readonly label: string } | { readonly value: string } | null
}

/** The document of the version before, read once for all that is made of it. */
interface Before {
  readonly root: RawMap
  readonly edit: () => DocumentEdit
}

export function readBefore(text: string): Before {
  const [root, parsed] = [rootOf(text), DocumentEdit.parse(text)]
  return { root, edit: () => new DocumentEdit(text, parsed) }
}

interface DocumentChange {
  readonly effectiveFrom: Day
  readonly old: string
  readonly successor: string
  /** The coefficient; null for RELEVEL. */
  readonly coefficient: Pick<Coefficient, 'direction' | 'written'> | null
  readonly join: Period
  readonly inputs: readonly InputChange[]
}

export function splicedDocument(before: Before, change: DocumentChange): string {
  const { root } = before
  const edit = before.edit()
  edit.set(['effectiveFrom'], formatDay(change.effectiveFrom), 'contract')
  // A price that was renegotiated counts from the version that said so, and not from here again.
  if (isRawMap(root.get('contract')) && (root.get('contract') as RawMap).get('restart') === 'true')
    edit.remove(['contract', 'restart'])
  for (const each of change.inputs) {
    const written = (root.get('inputs') as RawMap).get(each.input) as RawMap
    const { series, links } = rewritten(change, each, (written.get('links') ?? []) as readonly RawMap[])
    const at = ['inputs', each.input] as const
    if (series !== null) edit.set([...at, 'series'], series, 'series')
    if (links.length > 0) edit.set([...at, 'links'], links, 'series')
    else edit.remove([...at, 'links'])
    // A plan that was carried out is done: a series does not follow itself.
    const planned = written.get('successor')
    if (isRawMap(planned) && planned.get('series') === change.successor) edit.remove([...at, 'successor'])
    if (each.base !== null) {
      const base: Raw = 'label' in each.base ? each.base.label : new Map([['value', each.base.value]])
      edit.set([...at, 'base'], base, 'series')
    }
  }
  return edit.finish()
}

interface Rewritten {
  /** The new series; null where it stays. */
  readonly series: string | null
  readonly links: readonly RawMap[]
}

function rewritten(change: DocumentChange, { input, place }: InputChange, links: readonly RawMap[]): Rewritten {
  const { coefficient, old, successor, join } = change
  if (coefficient === null) return { series: successor, links: [] }
  const from = formatPeriod(shift(join, 1))
  if (place.kind === 'link') {
    if (coefficient.direction === 'OLD_TO_NEW' && coefficient.written !== '1')
      throw new Refusal(
        'invalid',
        `${input} reads ${old} through a link, on the level of an older series; use a coefficient NEW_TO_OLD, or RELEVEL`,
      )
    const linked = links[place.index]!
    const link = new Map([...linked, ['series', successor], ['from', from]] as const)
    return { series: null, links: [...links, link.set('coefficient', times(linked, coefficient.written, input))] }
  }
  const { direction, written } = coefficient
  if (direction === 'NEW_TO_OLD') return { series: null, links: [...links, linkOf(successor, 'from', from, written)] }
  const rest = links.map(link => {
    if (link.has('round') && written !== '1')
      throw new Refusal(
        'invalid',
        `${input} has a link to ${String(link.get('series'))} that is rounded on the level of ${old}; use a coefficient NEW_TO_OLD, or RELEVEL`,
      )
    return new Map([...link, ['coefficient', times(link, written, input)]])
  })
  return { series: successor, links: [...rest, linkOf(old, 'until', formatPeriod(join), written)] }
}

function linkOf(series: string, edge: 'from' | 'until', period: string, coefficient: string): Map<string, Raw> {
  return new Map([
    ['series', series],
    [edge, period],
    ['coefficient', coefficient],
  ])
}

/** The coefficient of a link times another, exact. */
function times(link: RawMap, written: string, input: string): string {
  const before = String(link.get('coefficient'))
  if (written === '1') return before
  const product = formatExact(multiply(ratio(before), ratio(written)))
  if (product.includes('/'))
    throw new Refusal(
      'invalid',
      `the coefficients of ${input} multiply to more digits than a document can have; use RELEVEL`,
    )
  return product
}

function rootOf(text: string): RawMap {
  const { root, problems } = readRaw(text)
  if (!isRawMap(root))
    throw new Refusal('invalid', `the document cannot be read: ${problems[0]?.message ?? 'it is empty'}`)
  return root
}

/**
 * Changes of a document beyond those that a splice may make: the series, links, base and plan of the inputs, the day from which
 * it governs, and that a renegotiated price does not begin again. Empty where there are no others.
 */
function changesBesides({ root }: Before, now: JsonObject, inputs: readonly string[]): readonly string[] {
  const then = rawToJson(root) as JsonObject
  const own = inputs.flatMap(input => ['series', 'links', 'base', 'successor'].map(key => `inputs.${input}.${key}`))
  return documentDifferences(then, now)
    .filter(({ path, after: value }) => {
      if (path === 'effectiveFrom') return false
      if (path === 'contract.restart') return value === 'true'
      return !own.some(allowed => path === allowed || path.startsWith(`${allowed}.`) || path.startsWith(`${allowed}[`))
    })
    .map(({ path }) => path)
}

/** Refuses a document that changes more than a splice may. */
export function checkOnlySpliced(before: Before, after: JsonObject, inputs: readonly string[]): void {
  const besides = changesBesides(before, after, inputs)
  if (besides.length > 0)
    throw new Refusal('invalid', `the document also changes ${besides.join(', ')}; make a formula version for the rest`)
}

/** Whether a checked input reads a series anywhere. */
export function readsSeries({ series, links }: Pick<Input, 'series' | 'links'>, reference: string): boolean {
  return series === reference || links.some((link: Link) => link.series === reference)
}
