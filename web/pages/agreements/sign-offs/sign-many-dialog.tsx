// The dialog before signing many numbers: each number, the total, and for which side. Either all of them are signed or none.

import { useState } from 'react'
import { api } from '../../../api.ts'
import { isNothing } from '../../../components/figures/decimals.ts'
import { State } from '../../../components/figures/figures.tsx'
import { makeBatch } from '../../../components/signing/batch.ts'
import { SigningDialog } from '../../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../../components/signing/use-signing.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { writeMoneyChange } from '../../../components/words/price-words.ts'
import { countOf, writeMoney, writePct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { type PickedAgreement, signedHash, signRequestOf, sumEffects } from './picking.ts'

interface SignManyProps {
  readonly agreements: readonly PickedAgreement[]
  readonly close: () => void
  readonly done: () => void
}

export function SignManyDialog({ agreements, close, done }: SignManyProps) {
  const workspace = useWorkspace()
  const periods = agreements.reduce((count, each) => count + each.periods.length, 0)
  const sums = sumEffects(agreements)
  const words = `Sign ${countOf(agreements.length, 'agreement')}`
  const [batch] = useState(() => makeBatch(agreements.map(signedHash)))
  const signing = useSigning({
    batch,
    send: (_proof, batchId) => api.post(workspace.path('/sign-offs/sign'), signRequestOf(agreements, batch, batchId)),
    done,
  })
  return (
    <SigningDialog title={words} size={760} words={words} hash={batch.hash} signing={signing} close={close}>
      <p>
        {countOf(periods, 'period')} of {countOf(agreements.length, 'agreement')}.
        {sums.length > 0 &&
          ` For one unit of each, prices change by ${sums.map(({ currency, amount }) => writeMoneyChange(amount, currency)).join(' and ')} in all.`}
      </p>
      <DataTable
        label="What is signed"
        rows={agreements}
        keyOf={({ slug }) => slug}
        columns={[
          { head: 'Agreement', cell: agreement => <Name agreement={agreement} /> },
          {
            head: 'Periods',
            className: 'figures',
            cell: ({ periods: own }) => {
              const [first, last] = [own[0]!.entry.period, own.at(-1)!.entry.period]
              return first === last ? first : `${first} to ${last}`
            },
          },
          {
            head: 'Adjustment',
            isRight: true,
            cell: ({ periods: own }) => {
              const moving = own.map(({ entry }) => entry.adjustmentPct).filter(pct => pct === null || !isNothing(pct))
              return moving.length === 0 ? writePct('0') : moving.map(writePct).join(', ')
            },
          },
          {
            head: 'Price',
            isRight: true,
            narrow: 'line',
            cell: ({ priceBefore, priceAfter, currency }) =>
              priceAfter !== null &&
              (priceBefore === null
                ? writeMoney(priceAfter, currency)
                : `${writeMoney(priceBefore, null)} → ${writeMoney(priceAfter, currency)}`),
          },
          {
            head: 'Effect',
            isRight: true,
            narrow: 'label',
            cell: ({ effect, currency }) => effect !== null && writeMoneyChange(effect, currency),
          },
        ]}
      />
      <p className="soft">
        Once both sides have signed, these numbers are fixed for good. A signature cannot be withdrawn. If one of them
        has moved meanwhile, nothing is signed.
      </p>
    </SigningDialog>
  )
}

function Name({ agreement: { name, periods } }: { readonly agreement: PickedAgreement }) {
  const disputed = periods.filter(({ entry }) => entry.disputedBy.length > 0)
  return (
    <>
      {name}
      {disputed.length > 0 && <State kind="trouble">{countOf(disputed.length, 'period')} disputed</State>}
    </>
  )
}
