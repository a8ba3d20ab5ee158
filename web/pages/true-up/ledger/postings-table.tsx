// The postings of a ledger as a table: by invoice, with the balance after each, and account by account on request.
import { Anchor } from '@mantine/core'
import { useMemo } from 'react'
import { accounts } from '../../../../src/core/invoices/ledger-facts.ts'
import type { LedgerPage } from '../../../../src/views/shapes/true-up.ts'
import { TextLink } from '../../../components/page/links.tsx'
import { Empty } from '../../../components/page/page.tsx'
import type { Column } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { useOpened } from '../../../components/table/use-opened.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { accountWords, eventWords, formatAmount, formatBalance } from '../../../components/true-up/words.ts'
import { countOf, formatInstant, sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { groupPostings, type Posting, type PostingGroup } from './postings.ts'
import { sumAmounts } from './sums.ts'

export function Postings({ page }: { readonly page: LedgerPage }) {
  const groups = useMemo(() => groupPostings(page), [page])
  const opened = useOpened()
  const { sides, ledger } = page
  return (
    <>
      {groups.length > 0 && (
        <p className="soft">
          The balance is the amount that {sides.buyer} still has to pay; a negative balance is the amount that{' '}
          {sides.supplier} has to pay back.
        </p>
      )}
      <DataTable
        label="Postings"
        isTall
        rows={groups}
        keyOf={({ key }) => key}
        empty={
          <Empty title="Nothing has been billed yet">
            Import invoice lines of this agreement, and every cent between them and the settled prices is accounted for
            here.
          </Empty>
        }
        columns={[
          { head: 'When', narrow: 'line', className: 'figures', cell: ({ at }) => formatInstant(at) },
          {
            head: 'Posting',
            isRowHead: true,
            className: classes.posting,
            cell: group => (
              <>
                {eventWords[group.event]}
                <span className="under">
                  <Basis group={group} page={page} />
                </span>
              </>
            ),
          },
          {
            head: 'Periods',
            narrow: 'line',
            className: classes.label,
            cell: group => <Periods {...{ group, page }} />,
          },
          leg('ENTITLED', group => negated(group.legs.ENTITLED)),
          leg('BILLED', group => group.legs.BILLED),
          {
            head: 'Change of the balance',
            isRight: true,
            narrow: 'label',
            headClass: classes.account,
            cell: ({ legs }) => {
              const changed = [legs.AGREED, legs.BILLING_DIFF].filter(each => each !== undefined)
              return changed.length === 0 ? '' : formatAmount(sumAmounts(changed), null)
            },
          },
          {
            head: 'Balance',
            isRight: true,
            cell: ({ balance }) => formatBalance(balance, ledger.currency),
          },
        ]}
        actions={({ key }) => (
          <Anchor
            component="button"
            type="button"
            inherit
            aria-expanded={opened.has(key)}
            onClick={() => opened.turn(key)}
          >
            {opened.has(key) ? 'Hide' : 'Accounts'}
          </Anchor>
        )}
        below={group => opened.has(group.key) && <Accounts postings={group.postings} page={page} />}
      />
    </>
  )
}

function leg(
  account: 'ENTITLED' | 'BILLED',
  amount: (group: PostingGroup) => string | undefined,
): Column<PostingGroup> {
  return {
    head: sentenceCase(accountWords[account]),
    isRight: true,
    narrow: 'label',
    headClass: classes.account,
    cell: group => {
      const found = amount(group)
      return found === undefined ? '' : formatAmount(found, null)
    },
  }
}

/** The leg that makes the equation hold has the other sign. */
function negated(amount: string | undefined): string | undefined {
  if (amount === undefined) return undefined
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

function Basis({ group, page }: { readonly group: PostingGroup; readonly page: LedgerPage }) {
  const { slug: ws } = useWorkspace()
  const { invoice, subject, postings } = group
  if (invoice !== null)
    return (
      <>
        Invoice {invoice},{' '}
        {postings.length === 1 ? `line ${page.lines[subject]!.line}` : countOf(postings.length, 'line')},{' '}
        {page.lines[subject]!.supplier}
      </>
    )
  const [id = ''] = subject.split('/')
  const note = page.corrections.find(each => each.id === id)?.notes.find(({ part }) => subject === `${id}/${part}`)
  return (
    <TextLink to="/w/$ws/corrections/$id" params={{ ws, id }}>
      {note === undefined ? id : note.number}
    </TextLink>
  )
}

function Periods({ group, page }: { readonly group: PostingGroup; readonly page: LedgerPage }) {
  const periods = [...new Set(group.postings.flatMap(({ period }) => period ?? []))]
  const items = [...new Set(group.postings.flatMap(({ item }) => item ?? []))]
  return (
    <>
      {periods.length > 2
        ? `${periods[0]} to ${periods.at(-1)}`
        : periods.map((period, i) => (
            <span key={period}>
              {i > 0 && ', '}
              <PeriodLink period={period} slug={page.agreement.slug} />
            </span>
          ))}
      {items.length > 0 && (
        <span className="under">{items.length === 1 ? items[0] : countOf(items.length, 'item')}</span>
      )}
    </>
  )
}

/** Postings line by line, with every account. */
function Accounts({ postings, page }: { readonly postings: readonly Posting[]; readonly page: LedgerPage }) {
  return (
    <div className={classes.inside}>
      <DataTable
        label="Accounts"
        rows={postings}
        keyOf={({ subject, period, item }) => `${subject} ${period} ${item}`}
        columns={[
          {
            head: 'Line',
            isRowHead: true,
            cell: ({ subject, item, period }) => page.lines[subject]?.line ?? item ?? period ?? '',
          },
          { head: 'Item', narrow: 'line', cell: ({ item }) => item ?? '' },
          ...accounts.map(
            (account): Column<Posting> => ({
              head: sentenceCase(accountWords[account]),
              isRight: true,
              narrow: 'drop',
              headClass: classes.account,
              cell: ({ legs }) => (legs[account] === undefined ? '' : formatAmount(legs[account], null)),
            }),
          ),
          { head: 'Amounts', isRight: true, narrow: 'only', cell: ({ legs }) => <Legs legs={legs} /> },
        ]}
      />
    </div>
  )
}

function Legs({ legs }: Pick<Posting, 'legs'>) {
  return accounts.map(account =>
    legs[account] === undefined ? null : (
      <div key={account}>
        <span className="under">{accountWords[account]}</span>
        {formatAmount(legs[account], null)}
      </div>
    ),
  )
}

function PeriodLink({ period, slug }: { readonly period: string; readonly slug: string }) {
  const { slug: ws } = useWorkspace()
  if (period === 'start') return <>{period}</>
  return (
    <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }}>
      {period}
    </TextLink>
  )
}
