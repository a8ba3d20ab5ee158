// Every period that is signed at once, each with its number. The hashes are shown on demand.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { hashOfPeriods } from '../../../../src/core/receipt/party-signature.ts'
import type { AgreementListRow, SigningView } from '../../../../src/views/shapes/agreements.ts'
import { PriceWay } from '../../../components/figures/price-way.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatSigned } from '../../../components/words/words.ts'
import classes from './signed-periods.module.css'

interface SignedPeriodsProps {
  readonly periods: SigningView['periods']
  readonly price: AgreementListRow['price']
}

export function SignedPeriods({ periods, price: terms }: SignedPeriodsProps) {
  const [hasHashes, setHashes] = useState(false)
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section className={classes.list} tabIndex={0} aria-label="Periods that you sign">
        <DataTable
          className={classes.table}
          rows={periods}
          keyOf={({ period }) => period}
          columns={[
            { head: 'Period', className: 'figures', cell: ({ period }) => period },
            {
              head: 'Change, %',
              className: classes.number,
              figure: ({ step }) => formatSigned(step.changePct),
            },
            { head: 'Since start, %', figure: ({ cumulativePct }) => formatSigned(cumulativePct) },
            periods.some(({ price }) => price !== null) && {
              head: `Price${terms === null ? '' : `, ${terms.currency}${terms.unit ? ` per ${terms.unit}` : ''}`}`,
              isRight: true,
              cell: ({ step }) => <PriceWay step={step} currency={null} unit={null} />,
            },
          ]}
          below={({ hash }) => hasHashes && <span className={`${classes.hash} mono`}>{hash}</span>}
        />
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
