// Postings as a statement of account: postings of one invoice, correction or note that were made together stand together, each
// with the balance after it, the newest first.
import { type Account, accounts } from '../../../../src/core/invoices/ledger-facts.ts'
import { balancesAfter } from '../../../../src/core/true-up/ledger-view.ts'
import type { LedgerPage } from '../../../../src/views/shapes/true-up.ts'
import { sumAmounts } from './sums.ts'

export type Posting = LedgerPage['ledger']['entries'][number]

export interface PostingGroup {
  readonly key: string
  readonly at: string
  readonly event: Posting['event']
  /** The invoice they are about; null where they are about a correction or a note. */
  readonly invoice: string | null
  /** Subject of the first posting. */
  readonly subject: string
  /** Postings in the order of the ledger. */
  readonly postings: readonly Posting[]
  readonly legs: Posting['legs']
  /** Balance after them: the amount that the buyer still had to pay. */
  readonly balance: string
}

export function groupPostings({ ledger, lines }: Pick<LedgerPage, 'ledger' | 'lines'>): readonly PostingGroup[] {
  const { entries, currency } = ledger
  const balances = balancesAfter(entries, currency)
  const groups: PostingGroup[] = []
  for (const [i, posting] of entries.entries()) {
    const { at, event, subject } = posting
    const line = lines[subject]
    const invoice = line === undefined ? null : line.invoice
    const about = line === undefined ? subject : `${line.supplier} ${line.invoice}`
    const balance = balances[i]!
    const last = groups.at(-1)
    if (last !== undefined && last.at === at && last.event === event && last.key.endsWith(` ${about}`))
      groups[groups.length - 1] = {
        ...last,
        postings: [...last.postings, posting],
        legs: addLegs(last.legs, posting.legs),
        balance,
      }
    else
      groups.push({
        key: `${groups.length} ${at} ${event} ${about}`,
        at,
        event,
        invoice,
        subject,
        postings: [posting],
        legs: posting.legs,
        balance,
      })
  }
  return groups.reverse()
}

function addLegs(a: Posting['legs'], b: Posting['legs']): Posting['legs'] {
  const sums = accounts.flatMap((account: Account) => {
    const own = [a[account], b[account]].filter(each => each !== undefined)
    return own.length === 0 ? [] : [[account, sumAmounts(own)] as const]
  })
  return Object.fromEntries(sums)
}

/** `4711, line 1, Ohio Forge`; the id if it is no line of an invoice. */
export function formatLine({ lines }: Pick<LedgerPage, 'lines'>, subject: string): string {
  const named = lines[subject]
  return named === undefined ? subject : `${named.invoice}, line ${named.line}, ${named.supplier}`
}
