// Notices to operators that a provider's answers look different: one for each alarm and operator, whatever the alarm holds later.
// Operators get it in the first of their workspaces; an operator without a workspace reads the page or the command.
import { counted } from '../core/text/counts.ts'
import { addNotices, loadTold, type NoticeFacts, type NoticeKey, toldKey } from '../storage/people/mail.ts'
import { listOperators } from '../storage/people/operators.ts'
import { listMemberships } from '../storage/people/people.ts'
import { type Sql, withWorkspace } from '../storage/postgres/database.ts'
import { type Drift, type DriftLine, listDrifts } from '../storage/series/drift.ts'
import { mailLimits } from './mail-limits.ts'

export async function tellOfDrifts(sql: Sql): Promise<number> {
  const drifts = await listDrifts(sql)
  if (drifts.length === 0) return 0
  let added = 0
  for (const { personId, email } of await listOperators(sql)) {
    const places = (await listMemberships(sql, personId)).map(({ workspaceId }) => workspaceId).toSorted()
    const [first] = places
    if (first === undefined) continue
    const keyOf = ({ id }: Drift): NoticeKey => ({ kind: 'drift', email, about: id })
    const told = new Set<string>()
    // Workspaces that were the first one before count too: nobody is told twice.
    for (const place of places)
      for (const key of await withWorkspace(sql, place, tx => loadTold(tx, place, drifts.map(keyOf)))) told.add(key)
    const fresh = drifts.filter(drift => !told.has(toldKey(keyOf(drift))))
    const notices = fresh.map(drift => ({ ...keyOf(drift), facts: factsOf(drift) }))
    added += await withWorkspace(sql, first, tx => addNotices(tx, first, notices))
  }
  return added
}

/** Whether the news still concerns this address: it is an operator's, and nobody has decided. */
export async function isDriftNews(sql: Sql, email: string, driftId: string): Promise<boolean> {
  const operators = await listOperators(sql)
  if (!operators.some(operator => operator.email.toLowerCase() === email)) return false
  return (await listDrifts(sql)).some(({ id }) => id === driftId)
}

const asked = { values: 'about values', calendar: 'about release dates' } as const

/** Changes, and the two shapes side by side as far as a mail goes; the page has all of it. */
function factsOf({ provider, kind, parts }: Drift): NoticeFacts {
  const signs = [...new Set(parts.flatMap(part => part.signs.map(({ words }) => words)))]
  const more = signs.length > 2 ? `; and ${signs.length - 2} more` : ''
  const lines = [...new Set(parts.flatMap(part => part.lines.filter(isDifferent).map(besides)))]
  const shown = lines.slice(0, mailLimits.driftLines)
  const rest = lines.length - shown.length
  return {
    name: `Answers of ${provider} ${asked[kind]}`,
    period: null,
    words: `look different from before: ${signs.slice(0, 2).map(cut).join('; ')}${more}`,
    path: '/installation',
    agreement: null,
    details: [
      ...shown,
      ...(rest > 0 ? [`${counted(rest, 'more difference')} on the page`] : []),
      'The changed answers are not published until an operator accepts them.',
    ],
  }
}

function isDifferent({ before, after }: DriftLine): boolean {
  return before !== after
}

function besides({ what, before, after }: DriftLine): string {
  return cut(`${what}: ${before ?? 'not there'} before, ${after ?? 'not there'} now`)
}

/** Cuts a line: it is the provider's own text, of any length. */
function cut(text: string): string {
  return text.length > mailLimits.driftLineLength ? `${text.slice(0, mailLimits.driftLineLength)} …` : text
}
