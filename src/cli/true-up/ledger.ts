// `ledger`: every cent between what an agreement says and what was billed, now or as it stood at an instant.

import { Refusal } from '../../core/refusal.ts'
import { dayOfInstant, parseCut } from '../../core/time/instant.ts'
import type { PresentedLedger } from '../../core/true-up/ledger-view.ts'
import { scopesOf, settle } from '../../storage/log/append.ts'
import { currentInstant, today } from '../frame/clock.ts'
import { type Invocation, Misuse, textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { alignRows } from '../frame/worksheet.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const ledgerCommand = workspaceCommand({
  name: 'ledger',
  usage: '<slug> --workspace W [--known-at T]',
  summary: 'Shows what an agreement entitles to, what was billed, what was corrected or waived, and what is open.',
  options: {
    'known-at': { type: 'string', value: 'T', help: 'as it stood at the end of this day, or at this instant' },
  },
  positionals: 1,
  async work({ invocation, sql, workspace, installation }) {
    const library = openLibrary(installation, invocation)
    const knownAt = knownAtOption(invocation)
    if (knownAt !== null) for (const scope of scopesOf(workspace.id)) await settle(sql, scope, knownAt)
    const until = knownAt === null ? today() : Math.min(today(), dayOfInstant(knownAt))
    const [slug] = invocation.positionals as [string]
    const trueUp = await library.trueUps.find(workspace.id, slug, { knownAt, until })
    if (trueUp === null) throw new Refusal('not-found', `there is no agreement "${slug}"`)
    const ledger = trueUp.presentedLedger
    return { json: ledger, words: tell(ledger) }
  },
})

function knownAtOption(invocation: Invocation): string | null {
  const text = textOption(invocation, 'known-at')
  if (text === null) return null
  const instant = parseCut(text)
  if (instant === null) throw new Misuse(`--known-at must be a day or an instant with its zone, got "${text}"`)
  if (instant > currentInstant())
    throw new Misuse('--known-at must be an instant that is past or a day that is over in UTC')
  return instant
}

function tell(ledger: PresentedLedger): string {
  const { currency, balances, open, entries } = ledger
  const sides = [
    ['entitled', balances.entitled],
    ['provisional', balances.provisional],
    ['', ''],
    ['billed', balances.billed],
    ['billing differences', balances.billingDifferences],
    ['agreed, not yet billed', balances.agreed],
    ['waived', balances.waived],
    ['', ''],
    ['open by revision: due', open.due],
    ['waiting for final figures', open.waitingForFinal],
    ['under the minimum', open.underMinimum],
    ['lapsed', open.lapsed],
  ].map(([name, amount]) => (name === '' ? ['', '', ''] : [name!, amount!, currency]))
  const postings = entries.map(({ at, event, subject, period, item, legs }) => [
    `${at.slice(0, 16)}Z`,
    event,
    period ?? '',
    item ?? '',
    Object.entries(legs)
      .map(([account, amount]) => `${account} ${amount}`)
      .join(', '),
    subject,
  ])
  const parts = [sides, [], ...tellDifferences(ledger), postings].filter(rows => rows.length > 0)
  return parts.map((rows, i) => alignRows(rows, i === 0 ? [1] : [], '')).join('\n')
}

/** What the billing differences consist of, lines that are kept twice, and what was billed in other currencies. */
function tellDifferences({ differences, duplicates, otherCurrencies }: PresentedLedger): string[][][] {
  const nameOf = (invoice: string | null, line: string | null) => (invoice === null ? '' : `${invoice}, line ${line}`)
  return [
    differences.map(({ code, subject, invoice, line, amount, currency, message }) => [
      ...[`billing difference ${code}`, `${amount} ${currency}`, nameOf(invoice, line), message, subject],
    ]),
    duplicates.map(({ subject, sameAs, invoice, line, amount, currency }) => [
      ...['kept twice', `${amount} ${currency}`, nameOf(invoice, line), `the same line as ${sameAs}`, subject],
    ]),
    otherCurrencies.map(({ currency, balances: { billed, billingDifferences } }) => [
      ...[`in ${currency}`, `billed ${billed}`, `billing differences ${billingDifferences}`],
    ]),
  ]
}
