// Ledger of an agreement as of any moment: who owes whom, then the equation, then every posting, the newest first.

import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { accounts } from '../../../../src/core/invoices/ledger-facts.ts'
import type { LedgerPage as LedgerView } from '../../../../src/views/shapes/true-up.ts'
import { api } from '../../../api.ts'
import { NotThere } from '../../../components/agreements/missing-agreement.tsx'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { isNothing } from '../../../components/figures/decimals.ts'
import { State } from '../../../components/figures/figures.tsx'
import { DayInput } from '../../../components/inputs/day-input.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { Facts } from '../../../components/page/facts.tsx'
import { IconPrint } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { LoadingPage, PageHead, Section } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import type { Sheet } from '../../../components/table/save-file.ts'
import { ledgerQuery } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { formatAbsolute, formatAmount, formatBalance, payeeOf, stateWords } from '../../../components/true-up/words.ts'
import { formatInstant, groupFiguresIn, sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { Differences } from './differences.tsx'
import { formatLine } from './postings.ts'
import { Postings } from './postings-table.tsx'
import { sumAmounts } from './sums.ts'

export function LedgerPage() {
  const workspace = useWorkspace()
  const { slug = '' } = useParams({ strict: false })
  const [{ at }, change] = useAddress()
  const { data, error, refetch } = useQuery(ledgerQuery(workspace, slug, at))
  if (data === undefined)
    return error === null ? (
      <LoadingPage />
    ) : (
      <NotThere slug={slug} title="Ledger" error={error} retry={() => void refetch()} />
    )
  return <Ledger page={data} at={at} choose={day => change({ at: day || undefined })} />
}

interface LedgerProps {
  readonly page: LedgerView
  readonly at: string | undefined
  readonly choose: (day: string) => void
}

function Ledger({ page, at, choose }: LedgerProps) {
  const { slug: ws } = useWorkspace()
  const { agreement, ledger, knownAt } = page
  const { slug, name } = agreement
  return (
    <>
      <PageHead
        title="Ledger"
        crumbs={[
          { label: 'Agreements', to: '/w/$ws/agreements', params: { ws } },
          { label: name, to: '/w/$ws/agreements/$slug', params: { ws, slug } },
        ]}
        under={`${name}, ${knownAt === null ? 'as it stands now' : `as it stood on ${formatInstant(knownAt)}`}, in ${ledger.currency}`}
        actions={
          <>
            <DayInput
              size="xs"
              label="As it stood at the end of"
              placeholder="today"
              leftSection="As of"
              leftSectionWidth={52}
              value={at?.slice(0, 10) ?? ''}
              onDay={choose}
            />
            {at !== undefined && (
              <Button size="xs" variant="default" onClick={() => choose('')}>
                Now
              </Button>
            )}
            <ExportMenu
              fileName={`${slug}-ledger`}
              sheet={() => ledgerSheet(page)}
              isEmpty={ledger.entries.length === 0}
            />
            <Button variant="subtle" size="xs" leftSection={<IconPrint />} onClick={() => window.print()}>
              Print
            </Button>
          </>
        }
      />
      <Owed page={page} />
      <Equation page={page} />
      <Differences page={page} />
      <Open page={page} />
      <Corrections page={page} />
      <Section title="Postings">
        <Postings page={page} />
      </Section>
    </>
  )
}

/** The answer: who owes whom, and the parts of that. */
function Owed({ page: { sentence, sides, ledger } }: { readonly page: LedgerView }) {
  const { balances, open, currency } = ledger
  const to = (amount: string) => `${formatAbsolute(amount, currency)} to ${payeeOf(amount, sides)}`
  const { agreed, billingDifferences, provisional } = balances
  const owed = sumAmounts([agreed, billingDifferences]).replace(/^-/, '')
  const parts = [
    isNothing(agreed) ? '' : `Agreed and not yet billed: ${to(agreed)}.`,
    isNothing(billingDifferences)
      ? ''
      : `Billed too ${billingDifferences.startsWith('-') ? 'much' : 'little'}: ${to(billingDifferences)}.`,
    isNothing(open.due) ? '' : `Due by revision, not agreed yet: ${to(open.due)}.`,
    isNothing(provisional)
      ? ''
      : `${formatAbsolute(provisional, currency)} is billed at prices that are not agreed yet.`,
  ].filter(part => part !== '')
  return (
    <>
      <p className={classes.owes}>{groupFiguresIn(sentence, [owed])}</p>
      {parts.length > 0 && <p className={classes.owesMore}>{parts.join(' ')}</p>}
    </>
  )
}

function Equation({ page: { ledger } }: { readonly page: LedgerView }) {
  const { balances, currency } = ledger
  const { entitled, provisional, billed, billingDifferences, agreed, waived } = balances
  const side = (rows: readonly (readonly [string, string])[]) => (
    <dl className={classes.sideSum}>
      {rows.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatBalance(amount, currency)}</dd>
        </div>
      ))}
      <div>
        <dt>Total</dt>
        <dd>{formatBalance(sumAmounts(rows.map(([, amount]) => amount)), currency)}</dd>
      </div>
    </dl>
  )
  return (
    <section className={classes.equation} aria-label="Owed and billed amounts">
      {side([
        ['Entitled at settled prices', entitled],
        ['Provisional, price not agreed yet', provisional],
      ])}
      <span className={classes.equals} role="img" aria-label="equals">
        =
      </span>
      {side([
        ['Billed', billed],
        ['Billing differences', billingDifferences],
        ['Agreed, not yet billed', agreed],
        ['Waived', waived],
      ])}
    </section>
  )
}

function Open({ page }: { readonly page: LedgerView }) {
  const { open, currency } = page.ledger
  const [isAsking, setAsking] = useState(false)
  return (
    <Section
      title="Open by revision"
      actions={
        page.mayPropose && (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            Propose a correction
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { label: 'Due', value: formatAmount(open.due, currency) },
          { label: 'Waiting for final figures', value: formatAmount(open.waitingForFinal, currency) },
          { label: 'Under the minimum', value: formatAmount(open.underMinimum, currency) },
          { label: 'Lapsed', value: formatAmount(open.lapsed, currency) },
        ]}
      />
      {page.whyNot !== null && <p className="soft">{sentenceCase(page.whyNot)}.</p>}
      {isAsking && <ProposeDialog page={page} close={() => setAsking(false)} />}
    </Section>
  )
}

function ProposeDialog({ page, close }: { readonly page: LedgerView; readonly close: () => void }) {
  const { path, slug: ws } = useWorkspace()
  const navigate = useNavigate()
  const { slug } = page.agreement
  const isDue = page.whyNot === null
  const [reason, setReason] = useState('')
  const propose = async () => {
    const given = reason.trim() === '' ? null : reason
    const { id } = await api.post(path('/agreements/:slug/corrections', { slug }), { reason: given })
    await navigate({ to: '/w/$ws/corrections/$id', params: { ws, id } })
  }
  return (
    <FormDialog title="Propose a correction" action="Propose" run={propose} close={close}>
      <p>
        {isDue
          ? 'The proposal covers every period that is due under the contract. Both sides sign it.'
          : 'Nothing is due under the contract. Any change of a signed price can still be proposed, with a reason.'}
      </p>
      <Textarea
        label={isDue ? 'Reason, only if it goes beyond the contract' : 'Reason'}
        required={!isDue}
        autosize
        minRows={2}
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

function Corrections({ page: { corrections } }: { readonly page: LedgerView }) {
  const { slug: ws } = useWorkspace()
  if (corrections.length === 0) return null
  return (
    <Section title="Corrections">
      <DataTable
        label="Corrections"
        isTall
        rows={corrections}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Proposed',
            isRowHead: true,
            cell: ({ id, proposedAt }) => (
              <TextLink to="/w/$ws/corrections/$id" params={{ ws, id }}>
                {formatInstant(proposedAt)}
              </TextLink>
            ),
          },
          { head: 'Periods', narrow: 'line', cell: ({ periods }) => periods.map(({ period }) => period).join(', ') },
          {
            head: 'Amount',
            isRight: true,
            cell: ({ net, currency, waived }) => (
              <>
                {net === null ? '' : formatAmount(net, currency)}
                {waived && <span className="under">waiver</span>}
              </>
            ),
          },
          {
            head: 'State',
            narrow: 'line',
            cell: ({ state }) => <State kind={stateWords[state].kind}>{stateWords[state].words}</State>,
          },
        ]}
      />
    </Section>
  )
}

function ledgerSheet(page: LedgerView): Sheet {
  const { agreement, ledger, knownAt, lines } = page
  const { entries, currency, differences, otherCurrencies } = ledger
  const books = [{ currency, entries }, ...otherCurrencies]
  const why = new Map(differences.map(each => [each.subject, each]))
  return {
    name: 'Ledger',
    title: [
      `Ledger, ${agreement.name}`,
      knownAt === null ? 'as it stands now' : `as it stood on ${formatInstant(knownAt)}`,
    ],
    head: [
      'at',
      'event',
      'subject',
      'fact',
      'period',
      'item',
      ...accounts.map(each => each.toLowerCase()),
      'currency',
      'difference',
      'why',
    ],
    rows: books.flatMap(({ currency: of, entries: own }) =>
      own.map(({ at, event, subject, period, item, legs }) => {
        const named = legs.BILLING_DIFF === undefined ? undefined : why.get(subject)
        return [
          at,
          event,
          subject,
          lines[subject] === undefined ? null : formatLine(page, subject),
          period,
          item,
          ...accounts.map(account => (legs[account] === undefined ? null : { figure: legs[account] })),
          of,
          named?.code ?? null,
          named?.message ?? null,
        ]
      }),
    ),
  }
}
