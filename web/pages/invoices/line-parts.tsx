// Parts of a checked line: its item and the source of its price, the billed and the agreed price, and the reason for the
// difference.
import { isUnagreed, type PricedRow } from '../../../src/core/invoices/check-row.ts'
import { Money } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { asSentence, formatFigure, groupFiguresIn } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './invoices.module.css'

export function Item({ row }: { readonly row: PricedRow }) {
  return (
    <>
      {row.item ?? <span className="soft">unknown</span>} <Where row={row} />
    </>
  )
}

/** The price of a line, or its amount if that is what differs. */
export function Compared({ row, side }: { readonly row: PricedRow; readonly side: 'billed' | 'agreed' }) {
  const { price, billedPrice, amount, billedAmount, currency } = row
  const byAmount = billedPrice === null || row.contradiction
  const shown = side === 'billed' ? (byAmount ? billedAmount : billedPrice) : byAmount ? amount : price
  return shown === null ? null : <Money amount={shown} currency={currency} unit={byAmount ? null : unitOf(row)} />
}

/** Unit of a price: `piece`, `100 piece`. */
function unitOf({ per, unit }: PricedRow): string | null {
  const count = per === null || per === '1' ? null : formatFigure(per)
  return [count, unit].filter(part => part !== null).join('\u00a0') || null
}

export function Why({ row }: { readonly row: PricedRow }) {
  return (
    <>
      <p className={classes.sentence}>{inFigures(row, asSentence(whyOf(row)))}</p>
      {row.alsoPossible.length > 0 && !isUnagreed(row) && (
        <p className={`soft ${classes.sentence}`}>
          Also possible: {inFigures(row, row.alsoPossible.map(({ sentence }) => asSentence(sentence)).join(' '))}
        </p>
      )}
    </>
  )
}

function inFigures({ price, billedPrice, amount, billedAmount }: PricedRow, sentence: string): string {
  const known = [price, billedPrice, amount, billedAmount].filter(figure => figure !== null)
  return groupFiguresIn(sentence, known)
}

function whyOf(row: PricedRow): string {
  const { reason, message, outcome } = row
  // A price that is only proposed accuses nobody.
  const words = [isUnagreed(row) ? null : reason?.sentence, message].filter(text => text != null).join(' ')
  if (words !== '') return words
  return outcome === 'SKIPPED' ? 'a correction is not checked' : 'no known mistake gives this price'
}

/** The adjustment that the price of the line comes from. */
function Where({ row: { agreement, period } }: { readonly row: PricedRow }) {
  const { slug: ws } = useWorkspace()
  if (agreement === null) return null
  const params = { ws, slug: agreement }
  return (
    <span className="under">
      {period === null || period === 'start' ? (
        <TextLink to="/w/$ws/agreements/$slug" params={params}>
          {agreement}
          {period === null ? '' : ', start'}
        </TextLink>
      ) : (
        <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ...params, period }}>
          {agreement}, {period}
        </TextLink>
      )}
    </span>
  )
}
