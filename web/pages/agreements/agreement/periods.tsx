// The periods of a formula, newest first, each with its number, its signatures, and what a signed number would be today.

import type { Sheet } from '../../../../src/formats/sheet.ts'
import type { EntryRow, FormulaPage } from '../../../../src/views/shapes/agreements.ts'
import classes from '../../../components/agreements/agreement.module.css'
import { isSameToday } from '../../../components/agreements/effects.ts'
import type { CutTexts } from '../../../components/agreements/queries.ts'
import { SignState } from '../../../components/agreements/sign-state.tsx'
import { Tag } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { writeCauses, writeMoneyChange, writePoints } from '../../../components/words/price-words.ts'
import {
  evenOut,
  shortenCut,
  writeDay,
  writeMoney,
  writePct,
  writePctLike,
  writeSigned,
} from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface PeriodsProps {
  readonly page: FormulaPage
  readonly cut: CutTexts
}

export function Periods({ page: { formula, entries }, cut }: PeriodsProps) {
  const { slug: ws } = useWorkspace()
  const { slug, price, status } = formula
  const rows = entries.toReversed()
  const changes = evenOut(rows.map(({ adjustmentPct }) => writeSigned(adjustmentPct)))
  const totals = evenOut(rows.map(({ cumulativePct }) => writeSigned(cumulativePct)))
  const prices = evenOut(rows.map(entry => (entry.price === null ? null : shortenCut(entry.price))))
  const isRevised = rows.some(({ today }) => today !== null)
  return (
    <ScrollX label="Periods">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col" className="on-wide">
              Date
            </th>
            <th scope="col" className="right">
              Adjustment, %
            </th>
            <th scope="col" className="right on-wide">
              Since start, %
            </th>
            {price !== null && (
              <th scope="col" className="right">
                Price, {price.currency}
                {price.unit && ` per ${price.unit}`}
              </th>
            )}
            <th scope="col" className="on-wide">
              Figures
            </th>
            <th scope="col" className="on-wide">
              Version
            </th>
            <th scope="col" className="on-wide">
              Sign-off
            </th>
            {isRevised && (
              <th scope="col" className="on-wide">
                Would be today
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((entry, i) => (
            <tr key={entry.period} data-to="">
              <td>
                <TextLink
                  to="/w/$ws/formulas/$slug/periods/$period"
                  params={{ ws, slug, period: entry.period }}
                  search={{ ...cut }}
                >
                  {entry.period}
                </TextLink>
                <span className={`${classes.folded} on-narrow`}>
                  <span>
                    {writeDay(entry.adjustmentDate)}, {writePct(entry.cumulativePct)} since start
                  </span>
                  <span>
                    <SignState entry={entry} status={status} /> <Tag tag={entry.dataVersion} />
                  </span>
                  {entry.today !== null && (
                    <span>
                      would be today <Today entry={entry} currency={price?.currency ?? null} />
                    </span>
                  )}
                </span>
              </td>
              <td className="figures on-wide">{writeDay(entry.adjustmentDate)}</td>
              <td className="right">{changes[i]}</td>
              <td className="right on-wide">{totals[i]}</td>
              {price !== null && <td className="right">{prices[i]}</td>}
              <td className="on-wide">
                <Tag tag={entry.dataVersion} />
              </td>
              <td className="on-wide">{entry.formulaVersion}</td>
              <td className="on-wide">
                <SignState entry={entry} status={status} />
              </td>
              {isRevised && (
                <td className="on-wide">
                  <Today entry={entry} currency={price?.currency ?? null} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}

function Today({ entry, currency }: { readonly entry: EntryRow; readonly currency: string | null }) {
  const { today } = entry
  if (today === null) return null
  const { adjustmentPct, price, differencePoints, differenceMoney, because } = today
  const why = because === null ? '' : writeCauses(because)
  if (isSameToday(today))
    return (
      <span className={classes.today}>
        the same{why !== '' && <span className={classes.quiet}>since start: {why}</span>}
      </span>
    )
  return (
    <span className={`${classes.today} figures`}>
      {writePctLike(adjustmentPct, entry.adjustmentPct)}
      {price !== null && `, ${writeMoney(price, currency)}`}
      <span className={classes.quiet}>
        {differencePoints !== null && writePoints(differencePoints)}
        {differenceMoney !== null && `, ${writeMoneyChange(differenceMoney, currency)}`}
      </span>
      {why !== '' && <span className={classes.quiet}>{why}</span>}
    </span>
  )
}

/** The table as a file, oldest first, every figure with all its digits. */
export function periodSheet({ formula, entries }: FormulaPage): Sheet {
  const currency = formula.price?.currency
  const figure = (text: string | null) => (text === null ? null : { figure: text })
  const day = (signature: EntryRow['signatures']['buyer']) =>
    signature === null ? null : { day: signature.signedAt.slice(0, 10) }
  return {
    name: formula.slug,
    title: [formula.name, `Periods, as of ${writeDay(new Date().toISOString())}`],
    head: [
      'period',
      'adjustment date',
      'adjustment %',
      'since start %',
      'factor',
      currency === undefined ? 'price' : `price ${currency}`,
      'figures',
      'formula version',
      'buyer signed',
      'supplier signed',
      'would be today %',
      'would be today price',
      'because of',
      'hash',
    ],
    rows: entries.map(entry => [
      entry.period,
      { day: entry.adjustmentDate },
      figure(entry.adjustmentPct),
      figure(entry.cumulativePct),
      figure(entry.factor),
      figure(entry.price),
      entry.dataVersion,
      figure(entry.formulaVersion.toString()),
      day(entry.signatures.buyer),
      day(entry.signatures.supplier),
      figure(entry.today?.adjustmentPct ?? null),
      figure(entry.today?.price ?? null),
      entry.today?.because == null ? null : writeCauses(entry.today.because),
      entry.hash,
    ]),
  }
}
