// Activities of a workspace with filters; each links to the page of its subject if there is one.

import { Refusal } from '../core/refusal.ts'
import { parseDay } from '../core/time/day.ts'
import { limits } from '../limits.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import { isIdentifier } from '../storage/postgres/identifier.ts'
import { listActivity } from '../storage/workspaces/activity.ts'
import type { ActivityRequest } from './calls/settings-calls.ts'
import type { ActivityPage, ActivityTarget } from './shapes/settings.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewContext } from './sight/view-parts.ts'

export async function showActivity(parts: ViewContext, seat: Seat, query: ActivityRequest): Promise<ActivityPage> {
  const { before = null, limit: most = limits.activityPage, formula } = query
  if (before !== null && !isIdentifier('act', before))
    throw new Refusal('invalid', `before must be the id of an activity, got "${before}"`)
  const [from, to] = [readDay('from', query.from), readDay('to', query.to)]
  const filter = { who: given(query.who), words: given(query.q), from, to, formula: given(formula) }
  const found = await listActivity(parts.installation.sql, seat.workspace.id, { before, most: most + 1, filter })
  const rows = found.slice(0, most)
  const index = await parts.library.index(seat.workspace.id)
  return {
    rows: rows.map(row => ({ ...row, target: targetOf(index, row.what, row.subject) })),
    next: found.length > most ? rows.at(-1)!.id : null,
  }
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim()
}

function readDay(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (parseDay(text) === null) throw new Refusal('invalid', `${name} must be a day such as 2024-04-01, got "${text}"`)
  return text
}

/** Page of an activity. Activities are sentences; the things they name are looked up among those that exist now. */
function targetOf(index: CachedIndex, what: string, subject: string): ActivityTarget | null {
  if (/^(?:key|keys) /.test(what)) return { kind: 'settings', part: 'keys' }
  if (/^party /.test(what) && !subject.includes('@')) return { kind: 'settings', part: 'parties' }
  if (/^workspace /.test(what)) return { kind: 'settings', part: 'workspace' }
  const [first = '', second, ...rest] = subject.split(' ')
  const formula = index.findAgreement(first)
  if (formula !== undefined && formula.slug === first && rest.length === 0)
    return { kind: 'agreement', slug: first, period: second !== undefined && isLabel(second) ? second : null }
  const series = index.findByReference(subject)
  if (series !== undefined) return { kind: 'series', id: series.id }
  return /^[^@\s]+@[^@\s]+$/.test(subject) ? { kind: 'settings', part: 'people' } : null
}

/** Labels of periods: `2024-Q2`, `2024-04-01`. */
function isLabel(text: string): boolean {
  return /^\d{4}(?:-[\w-]{1,20})?$/.test(text)
}
