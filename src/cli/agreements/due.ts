// `due`: the adjustment dates ahead and the open ones, with the figures that each waits for and when they are expected.

import { standsFor } from '../../agreements/parties.ts'
import { formatCancelled } from '../../core/calendar/cancelled-words.ts'
import { dueStates, type EndedFigure } from '../../core/calendar/due.ts'
import { lastDayWithin, withinWords } from '../../core/calendar/within.ts'
import { Refusal } from '../../core/refusal.ts'
import { formatDate } from '../../core/text/words.ts'
import { type DueEntry, type DueRecord, dueRecord, listDue } from '../../read/due.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import { findMember } from '../../storage/people/people.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant, today } from '../frame/clock.ts'
import { choiceOption, type Invocation, Misuse, textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { type WorkspaceContext, workspaceCommand } from '../frame/workspace-command.ts'

export const dueCommand = workspaceCommand({
  name: 'due',
  usage: '--workspace W [--within 30d] [--state S] [--as <email>]',
  summary: 'Lists adjustment dates that are not signed by both, what each waits for and when that is expected.',
  options: {
    within: { type: 'string', value: '30d', help: `how far ahead: ${withinWords}; 30d by default` },
    state: { type: 'string', value: 'S', help: `only one of ${dueStates.join(', ')}` },
    as: { type: 'string', value: '<email>', help: 'only agreements that this person sees' },
  },
  async work({ invocation, installation, workspace }) {
    const text = textOption(invocation, 'within') ?? '30d'
    const until = lastDayWithin(text, today())
    if (until === null) throw new Misuse(`--within must be ${withinWords}, got "${text}"`)
    const state = choiceOption(invocation, 'state', dueStates)
    const isSeen = await sightOption(installation, invocation, workspace.id)
    const library = openLibrary(installation, invocation)
    const entries = await listDue(library, workspace.id, { now: currentInstant(), until }, isSeen)
    const wanted = entries.filter(({ now }) => state === null || now.state === state)
    const data = wanted.map(dueRecord)
    return {
      json: { data, pagination: { limit: data.length, hasMore: false, nextCursor: null } },
      words: data.length === 0 ? `nothing is due within ${text}\n` : alignRows(wanted.map(cellsOf), [], ''),
    }
  },
})

/** A supplier sees the agreements that it is a party to now. */
async function sightOption(
  { sql }: WorkspaceContext['installation'],
  invocation: Invocation,
  workspaceId: string,
): Promise<(agreement: AgreementRecord) => boolean> {
  const email = textOption(invocation, 'as')
  if (email === null) return () => true
  const member = await findMember(sql, workspaceId, email)
  if (member === null) throw new Refusal('not-found', `nobody in this workspace has the address ${email}`)
  if (member.role !== 'supplier') return () => true
  const person = { ...member, email: member.email.toLowerCase() }
  return ({ states }) => standsFor('supplier', person, states.at(-1)!.parties)
}

function cellsOf(entry: DueEntry): string[] {
  const row = dueRecord(entry)
  const [ended] = row.state === 'BLOCKED' && row.cancelled.length === 0 ? entry.now.ended : []
  const words =
    ended === undefined ? wordsOf(row) : `${ended.series} ${endedWords(ended)}: ${ended.period} did not come`
  return [row.date, row.state, row.agreement, row.period, words]
}

function endedWords({ end }: EndedFigure): string {
  if (end === null) return 'has ended, it seems'
  return end.kind === 'ENDED' ? 'has ended' : 'was replaced'
}

function wordsOf({ state, waitsFor, provisional, newer, cancelled, reason, readyOn, date }: DueRecord): string {
  if (reason !== null) return reason
  const [gone] = cancelled
  if (gone !== undefined) return formatCancelled(gone)
  const figure = waitsFor ?? newer
  if (figure === null) return state === 'SCHEDULED' ? 'every figure is there' : ''
  const when =
    figure.expectedAt === null ? 'no expected date' : `${formatDate(figure.expectedAt)}, ${basisWords[figure.basis!]}`
  const what = `${figure.series} ${figure.period}${figure.stage === null ? '' : ' (final)'}, ${when}`
  if (waitsFor === null) return `a newer value is expected: ${what}`
  if (provisional) return `provisional until ${what}`
  return `waits for ${what}${readyOn !== null && readyOn > date ? `; can be proposed on ${formatDate(readyOn)}` : ''}`
}

const basisWords = {
  OFFICIAL: 'official',
  DATE_ONLY: 'official',
  LEARNED: 'learned',
  USUAL: 'by the usual delay',
} as const
