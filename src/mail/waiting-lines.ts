// Lines of a mail about waiting signatures: one for each agreement that is news, and the exact total, at the moment the mail is
// sent. The inbox shows the same numbers.

import type { WaitingMailKind } from '../core/people/mail-kinds.ts'
import { counted } from '../core/text/counts.ts'
import { type ChangeOfTerms, changesWaiting } from '../core/true-up/change-kinds.ts'
import type { LetterGroup, LetterLine } from './letter.ts'
import { mailLimits } from './mail-limits.ts'

/** Waiting signatures of one person in one agreement. */
export interface WaitsForMember {
  readonly slug: string
  readonly name: string
  readonly periods: number
  /** Waiting corrections, each with the number of periods that it corrects. */
  readonly corrections: readonly { readonly id: string; readonly periods: number }[]
  /** Changes of terms: told with the corrections. */
  readonly changes: readonly { readonly id: string; readonly kind: ChangeOfTerms }[]
}

/**
 * Lines about news: `news` are the slugs of agreements, or the ids of corrections, not told before. Null if none of them waits.
 */
export function waitingGroup(
  kind: WaitingMailKind,
  waits: readonly WaitsForMember[],
  news: ReadonlySet<string>,
  base: string,
): LetterGroup | null {
  const all = kind === 'signature' ? periodLines(waits, base) : correctionLines(waits, base)
  const told = all.filter(({ about }) => news.has(about))
  if (told.length === 0) return null
  const listed = told.slice(0, mailLimits.lines)
  const rest = new Set(all).difference(new Set(listed))
  return {
    kind,
    lines: listed.map(({ line }) => line),
    many: `${tell(all)} wait for your signature`,
    more: rest.size === 0 ? null : tell([...rest], 'more '),
    everything: { words: 'Everything that waits for you:', address: `${base}/sign-offs` },
  }
}

interface WaitingLine {
  readonly about: string
  readonly agreement: string
  readonly what: 'period' | 'correction' | 'change of terms'
  readonly count: number
  readonly line: LetterLine
}

function periodLines(waits: readonly WaitsForMember[], base: string): WaitingLine[] {
  return waits
    .filter(({ periods }) => periods > 0)
    .map(({ slug, name, periods }) => {
      const words = `has ${counted(periods, 'period')} that ${periods === 1 ? 'waits' : 'wait'} for your signature`
      const line = { title: name, words, address: `${base}/agreements/${slug}` }
      return { about: slug, agreement: slug, what: 'period', count: periods, line }
    })
}

function correctionLines(waits: readonly WaitsForMember[], base: string): WaitingLine[] {
  return waits.flatMap(({ slug, name, corrections, changes }) => [
    ...corrections.map(({ id, periods }) => {
      const words = `has a correction of ${counted(periods, 'period')} that waits for your signature`
      const line = { title: name, words, address: `${base}/corrections/${id}` }
      return { about: id, agreement: slug, what: 'correction' as const, count: 1, line }
    }),
    ...changes.map(({ id, kind }) => {
      const words = `has ${changesWaiting[kind]} that waits for your signature`
      const line = { title: name, words, address: `${base}/agreements/${slug}` }
      return { about: id, agreement: slug, what: 'change of terms' as const, count: 1, line }
    }),
  ])
}

/** `2,412 more periods of 188 agreements`, `1 correction and 2 changes of terms of 3 agreements`. */
function tell(lines: readonly WaitingLine[], more = ''): string {
  const of = (what: WaitingLine['what']) =>
    lines.filter(each => each.what === what).reduce((sum, each) => sum + each.count, 0)
  const changes = of('change of terms')
  const told = [
    ...(['period', 'correction'] as const).flatMap(what => (of(what) === 0 ? [] : [counted(of(what), what, more)])),
    ...(changes === 0 ? [] : [`${counted(changes, 'change', more)} of terms`]),
  ]
  const agreements = new Set(lines.map(({ agreement }) => agreement)).size
  return `${told.join(' and ')} of ${counted(agreements, 'agreement')}`
}
