// A change of terms in words, for a terminal.
import { readAmendmentBody } from '../../core/index-changes/amendment.ts'
import { readSpliceBody } from '../../core/index-changes/splice-schema.ts'
import { readListBody } from '../../core/prices/list-amendment.ts'
import { Refusal } from '../../core/refusal.ts'
import { changeWords } from '../../core/true-up/change-kinds.ts'
import { type ChangeSummary, type ShownChange, showChange } from '../../read/agreements/terms-view.ts'
import type { Library } from '../../read/library.ts'
import { alignRows } from '../frame/aligned-rows.ts'

export async function findShown(library: Library, workspaceId: string, id: string): Promise<ShownChange> {
  const found = await library.termsChanges.find(workspaceId, id)
  if (found === null) throw new Refusal('not-found', `there is no change of terms "${id}"`)
  return showChange(found.kept, found.change, found.body)
}

export function formatChange(change: ShownChange): string[] {
  const { signatures, refusal, version, offer, supersedes, plannedBy } = change
  const head = [
    `${change.id} ${change.agreement}: ${formatKind(change)}, ${formatState(change)}`,
    `hash ${change.hash}`,
    change.kind === 'PRICE_LIST'
      ? `from ${change.effectiveFrom} on`
      : `from ${change.effectiveFrom} on, in place of formula ${change.basis}`,
    ...(offer === null ? [] : [`offered with others as ${offer}`]),
    ...(supersedes === null ? [] : [`in place of ${supersedes}`]),
    ...(plannedBy === null ? [] : [`planned by formula ${plannedBy}, which both signed`]),
    ...signatures.map(({ party, signedBy, signedAt, list }) => {
      const together = list === null ? '' : `, in a list of ${list.count} (${list.hash})`
      return `signed by the ${party}: ${signedBy}, ${signedAt.slice(0, 10)}${together}`
    }),
    ...(refusal === null ? [] : [`refused by the ${refusal.party}: ${refusal.reason}`]),
    ...(version === null ? [] : [`agreed: ${change.kind === 'PRICE_LIST' ? 'price list' : 'formula'} ${version}`]),
  ]
  return [...head, ...formatBody[change.kind](change)]
}

export function formatKind({ kind, series }: ChangeSummary): string {
  return kind === 'SPLICE' ? `${series[1]} in place of ${series[0]}` : changeWords[kind]
}

export function formatState({ state }: ChangeSummary): string {
  return state.toLowerCase().replaceAll('_', ' ')
}

function formatSplice({ body: json }: ShownChange): string[] {
  const { ground, method, coefficient, join, window, evidence, effect } = readSpliceBody(json)
  const lines = [
    `ground: ${ground.sentence}`,
    `method ${method}${coefficient === null ? '' : `, coefficient ${coefficient.written} ${coefficient.direction}`}, join ${join}`,
    ...(window === null
      ? []
      : [`window ${window.from} to ${window.until}, spread ${evidence.spreadPct ?? 'unknown'} %`]),
  ]
  const overlap = evidence.overlap.map(({ period, old, new: now, ratio }) => [
    period,
    valuesOf(old),
    valuesOf(now),
    ratio,
  ])
  const next = effect.next.map(({ period, adjustmentDate, old, new: now }) => [
    period,
    adjustmentDate,
    old.price ?? old.factor ?? old.gap ?? '',
    '→',
    now.price ?? now.factor ?? now.gap ?? '',
  ])
  return [
    ...lines,
    ...tables([
      ['overlap', overlap],
      ['effect', next],
    ]),
  ]
}

function valuesOf(figures: readonly { readonly value: string }[]): string {
  return figures.map(({ value }) => value).join(' ')
}

function formatAmendment({ body: json }: ShownChange): string[] {
  const { reason, differences, words, effect } = readAmendmentBody(json)
  const differs = differences.map(({ path, before, after }) => [path, before ?? '', '→', after ?? ''])
  const next = effect.map(({ period, date, before, after }) => [
    period,
    date,
    before?.price ?? before?.cumulativePct ?? before?.gap ?? '',
    '→',
    after?.price ?? after?.cumulativePct ?? after?.gap ?? '',
  ])
  return [
    `reason: ${reason}`,
    ...(words === undefined ? [] : formatContractWords(words.after?.sentences ?? [])),
    ...tables([
      ['differences', differs],
      ['effect', next],
    ]),
  ]
}

function formatContractWords(sentences: readonly string[]): string[] {
  if (sentences.length === 0) return ['the contract’s own words are left out from then on']
  return ['the contract’s own words from then on', ...alignRows(sentences.map((sentence, i) => [`${i + 1}`, sentence]))]
}

function formatList({ body: json }: ShownChange): string[] {
  const { reason, from, listBefore, ownPriceUntil, effect } = readListBody(json)
  const { period, currency, changes, unchanged } = effect
  const rows = changes.map(each => [
    each.item,
    each.fromQuantity,
    each.before ?? 'new',
    '→',
    each.after ?? 'left out',
    each.priceBefore ?? '',
    '→',
    each.priceAfter ?? '',
  ])
  return [
    `reason: ${reason}`,
    `governs from ${from} on${listBefore === null ? '' : `, in place of price list ${listBefore}`}`,
    ...(ownPriceUntil === null ? [] : [`until ${ownPriceUntil} beside the contract's own price`]),
    `${unchanged} prices stay; the others, by the factor of ${period}${currency === null ? '' : `, in ${currency}`}:`,
    ...tables([['prices', rows]]),
  ]
}

const formatBody = { SPLICE: formatSplice, AMENDMENT: formatAmendment, PRICE_LIST: formatList } as const

function tables(all: readonly (readonly [name: string, rows: readonly (readonly string[])[]])[]): string[] {
  return all.flatMap(([name, rows]) => (rows.length === 0 ? [] : [name, ...alignRows(rows)]))
}
