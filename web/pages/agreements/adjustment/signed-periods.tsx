// Every period that is signed at once, each with its number. The hashes are shown on demand.
import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import type { PeriodToSign } from '../../../../src/core/receipt/party-signature.ts'
import { hashOfPeriods } from '../../../../src/core/receipt/party-signature.ts'
import type { FormulaRow } from '../../../../src/views/shapes/agreements.ts'
import { evenOut, writeMoney, writeSigned } from '../../../components/words/words.ts'
import classes from './signed-periods.module.css'

interface SignedPeriodsProps {
  readonly periods: readonly PeriodToSign[]
  readonly price: FormulaRow['price']
}

export function SignedPeriods({ periods, price: terms }: SignedPeriodsProps) {
  const [hasHashes, setHashes] = useState(false)
  const changes = evenOut(periods.map(({ adjustmentPct }) => writeSigned(adjustmentPct)))
  const since = evenOut(periods.map(({ cumulativePct }) => writeSigned(cumulativePct)))
  const hasPrices = periods.some(({ price }) => price !== null)
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section className={classes.list} tabIndex={0} aria-label="What you sign">
        <table className={`ledger ${classes.table}`}>
          <thead>
            <tr>
              <th scope="col">Period</th>
              <th scope="col" className="right">
                Adjustment, %
              </th>
              <th scope="col" className="right">
                Since start, %
              </th>
              {hasPrices && (
                <th scope="col" className="right">
                  Price{terms && `, ${terms.currency}${terms.unit ? ` per ${terms.unit}` : ''}`}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {periods.map(({ period, price, hash }, i) => (
              <Fragment key={period}>
                <tr>
                  <td className="figures">{period}</td>
                  <td className={`right ${classes.number}`}>{changes[i]}</td>
                  <td className="right">{since[i]}</td>
                  {hasPrices && <td className="right">{price === null ? '' : writeMoney(price, null)}</td>}
                </tr>
                {hasHashes && (
                  <tr className={classes.hashRow}>
                    <td colSpan={hasPrices ? 4 : 3} className="mono">
                      {hash}
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      <div className={classes.foot}>
        <Button variant="subtle" size="compact-sm" aria-expanded={hasHashes} onClick={() => setHashes(!hasHashes)}>
          {hasHashes ? 'Hide the hashes' : 'Show the hashes'}
        </Button>
        {hasHashes && (
          <p className="soft">
            The list is signed as <span className="mono">{hashOfPeriods(periods)}</span>
          </p>
        )}
      </div>
    </div>
  )
}
