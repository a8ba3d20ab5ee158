// Panel of one kept line beside the list: the billed and the agreed price, the reason for the difference, the receipt of the
// settled price, and the line that undid it.

import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isUnagreed } from '../../../src/core/invoices/check-row.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import type { InvoiceLineView } from '../../../src/views/shapes/invoices.ts'
import { api } from '../../api.ts'
import { type Fact, Facts } from '../../components/page/facts.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { LoadingRows, Trouble } from '../../components/page/page.tsx'
import { formatFigure, formatHash, formatInstant, formatMoney, formatSigned } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './invoices.module.css'
import { Item, Why } from './line-parts.tsx'
import { LineState } from './line-state.tsx'

export function LinePanel({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { slug, path } = useWorkspace()
  const { data, error } = useQuery({
    queryKey: ['w', slug, 'invoices', 'line', id],
    queryFn: ({ signal }) => api.get(path('/invoices/:id', { id }), signal),
  })
  const title = data === undefined ? 'Invoice line' : `Invoice ${data.line.invoice}, line ${data.line.line}`
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="md"
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error !== null && <Trouble error={error} />}
      {data === undefined && error === null && <LoadingRows rows={5} />}
      {data !== undefined && <Line {...data} />}
    </Drawer>
  )
}

interface LineProps {
  readonly line: InvoiceLineView
  readonly other: InvoiceLineView | null
}

function Line({ line, other }: LineProps) {
  const { slug: ws } = useWorkspace()
  const { check, state } = line
  return (
    <>
      <p>
        <LineState line={line} />
      </p>
      <p>
        <Item row={check} />
      </p>
      <Facts facts={factsOf(line)} isSmall />
      {(state === 'wrong' || state === 'open' || state === 'unclear') && (
        <div className={classes.panelWhy}>
          <Why row={check} />
        </div>
      )}
      {line.correction !== null && (
        <p>
          The line was billed at the price signed at that time. The difference to the settled price is in an agreed{' '}
          <TextLink to="/w/$ws/corrections/$id" params={{ ws, id: line.correction }}>
            correction
          </TextLink>
          .
        </p>
      )}
      <Receipt line={line} />
      {other !== null && (
        <p>
          {line.reverses === null ? 'Reversed' : 'Reverses a kept line'} on{' '}
          {formatDate(line.reverses === null ? other.importedAt : line.importedAt)}
          {formatBy(line.reverses === null ? other.importedBy : line.importedBy)}: together the two lines count as
          nothing.
        </p>
      )}
      <p className="soft">
        Kept since {formatInstant(line.importedAt)}
        {formatBy(line.importedBy)}.
      </p>
    </>
  )
}

function formatBy(who: string | null): string {
  return who === null ? '' : ` by ${who}`
}

function factsOf({ check, state, date, quantity, unit, supplierName }: InvoiceLineView): Fact[] {
  const { billedAmount, billedPrice, price, amount, difference, currency } = check
  const money = (text: string | null) => (text === null ? '' : formatMoney(text, currency))
  const isSettled = !isUnagreed(check)
  const judged = state !== 'unclear' && state !== 'reversed'
  const facts: (Fact | false)[] = [
    { label: 'Supplier', value: supplierName },
    date !== null && { label: 'Invoice date', value: formatDate(date) },
    quantity !== null && { label: 'Quantity', value: `${formatFigure(quantity)} ${unit ?? ''}`.trim() },
    billedPrice !== null && {
      label: 'Billed price',
      value: money(billedPrice),
      note: check.per === null ? '' : perOf(check),
    },
    judged &&
      price !== null && {
        label: isSettled ? 'Settled price' : 'Compared with',
        value: money(price),
        note: perOf(check),
      },
    billedAmount !== null && { label: 'Billed amount', value: money(billedAmount) },
    judged && amount !== null && { label: isSettled ? 'Settled amount' : 'Amount at this price', value: money(amount) },
    state === 'wrong' &&
      difference !== null && { label: 'Difference', value: `${formatSigned(difference)} ${currency ?? ''}` },
  ]
  return facts.filter(fact => fact !== false)
}

function perOf({ per, unit }: InvoiceLineView['check']): string {
  const what = [per === '1' ? null : per, unit].filter(part => part !== null && part !== '').join(' ')
  return what === '' ? '' : `per ${what}`
}

function Receipt({ line: { check, receiptHash } }: { readonly line: InvoiceLineView }) {
  const { slug: ws } = useWorkspace()
  const { agreement, period } = check
  if (agreement === null || period === null) return null
  if (period === 'start') return <p className="soft">The price of the contract’s start needs no signature.</p>
  return (
    <p>
      <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug: agreement, period }}>
        {receiptHash === null ? `See ${period}` : `See the receipt of ${period}`}
      </TextLink>
      {receiptHash !== null && <span className="mono soft"> {formatHash(receiptHash)}</span>}
    </p>
  )
}
