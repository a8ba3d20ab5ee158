// `ledger`: debts between buyer and supplier, and every cent between what an agreement says and what was billed, now or as it
// stood at an instant; with `--all` the sums over the ledgers of all agreements.

import { Refusal } from '../../core/refusal.ts'
import { dayOfInstant, parseCut } from '../../core/time/instant.ts'
import { balancesOf } from '../../core/true-up/ledger.ts'
import { formatOwed, owedOf, type PresentedLedger } from '../../core/true-up/ledger-view.ts'
import { groupLedgers, type LedgerGroup, sideNames } from '../../read/ledger-groups.ts'
import type { Library } from '../../read/library.ts'
import { scopesOf, settle } from '../../storage/log/append.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant, today } from '../frame/clock.ts'
import { type Invocation, Misuse, textOption, type Words } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const ledgerCommand = workspaceCommand({
  name: 'ledger',
  usage: '<slug>|--all --workspace W [--known-at T]',
  summary: 'Shows the balance of an agreement: the amounts that are owed, billed, corrected, waived and open.',
  options: {
    all: { type: 'boolean', help: 'the balances of all agreements, by supplier and currency' },
    'known-at': { type: 'string', value: 'T', help: 'as it stood at the end of this day, or at this instant' },
  },
  positionals: [0, 1],
  async work({ invocation, sql, workspace, installation }) {
    const library = openLibrary(installation, invocation)
    const knownAt = knownAtOption(invocation)
    const [slug] = invocation.positionals
    const isAll = invocation.options.all === true
    if ((slug === undefined) !== isAll) throw new Misuse('name one agreement, or --all')
    if (isAll && knownAt !== null) throw new Misuse('--known-at is for one agreement')
    if (knownAt !== null) for (const scope of scopesOf(workspace.id)) await settle(sql, scope, knownAt)
    const until = knownAt === null ? today() : Math.min(today(), dayOfInstant(knownAt))
    const nameOf = sideNames({ workspace }, await library.index(workspace.id))
    if (slug === undefined) {
      const groups = await readAll(library, workspace.id, nameOf)
      return { json: { data: groups }, words: formatAll(groups) }
    }
    const trueUp = await library.trueUps.find(workspace.id, slug, { knownAt, until })
    if (trueUp === null) throw new Refusal('not-found', `there is no agreement "${slug}"`)
    const ledger = trueUp.presentedLedger
    const owed = owedOf(balancesOf(trueUp.ledger))
    const sentence = formatOwed(owed, ledger.currency, nameOf(trueUp.standing.state.parties))
    return { json: ledger, words: [sentence, '', tell(ledger)] }
  },
})

async function readAll(
  library: Library,
  workspaceId: string,
  nameOf: ReturnType<typeof sideNames>,
): Promise<readonly LedgerGroup[]> {
  const index = await library.index(workspaceId)
  const parts = index.agreements.map(({ id }) => ({ id, tenure: null }))
  for (;;) {
    const { answers, updating } = await library.trueUpLists.sides(workspaceId, parts, today())
    if (updating > 0) continue
    return groupLedgers(answers, nameOf, id => {
      const { slug, states } = index.findAgreement(id)!
      return { slug, name: states.at(-1)!.name }
    })
  }
}

/** Debts between the sides, and under each the agreements that have something in it. */
function formatAll(groups: readonly LedgerGroup[]): Words {
  if (groups.length === 0) return 'Nothing is billed, agreed or due.\n'
  const rows = groups.flatMap(({ sentence, currency, supplier, agreements }) => [
    [`${sentence}.`, '', '', ''],
    ...agreements.map(({ slug, owed }) => [`  ${slug}`, `${owed.total} ${currency}`, `due ${owed.due}`, supplier]),
  ])
  return alignRows(rows, [1, 2], '')
}

function knownAtOption(invocation: Invocation): string | null {
  const text = textOption(invocation, 'known-at')
  if (text === null) return null
  const instant = parseCut(text)
  if (instant === null) throw new Misuse(`--known-at must be a day or an instant with its zone, got "${text}"`)
  if (instant > currentInstant())
    throw new Misuse('--known-at must be an instant that is past or a day that is over in UTC')
  return instant
}

function tell(ledger: PresentedLedger): Words {
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
  const parts = [sides, [], ...formatDifferences(ledger), postings].filter(rows => rows.length > 0)
  return parts.map((rows, i) => (i === 0 ? alignRows(rows, [1], '') : ['', alignRows(rows, [], '')]))
}

/** Parts of the billing differences, lines that are kept twice, and amounts billed in other currencies. */
function formatDifferences({ differences, duplicates, otherCurrencies }: PresentedLedger): string[][][] {
  const nameOf = (invoice: string | null, line: string | null) => (invoice === null ? '' : `${invoice}, line ${line}`)
  return [
    differences.map(({ code, subject, invoice, line, amount, currency, message }) => [
      `billing difference ${code}`,
      `${amount} ${currency}`,
      nameOf(invoice, line),
      message,
      subject,
    ]),
    duplicates.map(({ subject, sameAs, invoice, line, amount, currency }) => [
      'kept twice',
      `${amount} ${currency}`,
      nameOf(invoice, line),
      `the same line as ${sameAs}`,
      subject,
    ]),
    otherCurrencies.map(({ currency, balances: { billed, billingDifferences } }) => [
      `in ${currency}`,
      `billed ${billed}`,
      `billing differences ${billingDifferences}`,
    ]),
  ]
}
