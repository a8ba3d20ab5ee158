// The dialog before signing many numbers: each number, the total, and for which side. Either all of them are signed or none.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import { factorsQuery } from '../../../components/signing/factors.ts'
import { type Proof, ProofForm } from '../../../components/signing/proof-form.tsx'
import classes from '../../../components/signing/sign-panel.module.css'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { writeMoneyChange } from '../../../components/words/price-words.ts'
import { countOf, writeMoney, writePct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { type PickedAgreement, signRequestOf, sumEffects } from './picking.ts'

interface SignManyProps {
  readonly agreements: readonly PickedAgreement[]
  readonly close: () => void
  readonly done: () => void
}

export function SignManyDialog({ agreements, close, done }: SignManyProps) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isSigning, setSigning] = useState(false)
  const periods = agreements.reduce((count, each) => count + each.periods.length, 0)
  const sums = sumEffects(agreements)
  const sign = async (proof: Proof): Promise<boolean> => {
    setSigning(true)
    setError(null)
    try {
      if ('password' in proof && proof.password !== null) await api.post('/confirm', { password: proof.password })
      await api.post(workspace.path('/sign-offs/sign'), signRequestOf(agreements))
      done()
      return true
    } catch (failure) {
      setError(failure)
      return true
    } finally {
      setSigning(false)
      void queries.invalidateQueries(factorsQuery)
      void queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
    }
  }
  return (
    <Dialog onClose={close} title={`Sign ${countOf(agreements.length, 'agreement')}`} size={760}>
      <div className={classes.dialog}>
        <p>
          {countOf(periods, 'period')} of {countOf(agreements.length, 'agreement')}.
          {sums.length > 0 &&
            ` For one unit of each, prices change by ${sums.map(({ currency, amount }) => writeMoneyChange(amount, currency)).join(' and ')} in all.`}
        </p>
        <ScrollX label="What is signed">
          <table className="ledger">
            <thead>
              <tr>
                <th scope="col">Formula</th>
                <th scope="col">Periods</th>
                <th scope="col" className="right">
                  Adjustment
                </th>
                <th scope="col" className="right">
                  Price
                </th>
                <th scope="col" className="right">
                  Effect
                </th>
              </tr>
            </thead>
            <tbody>
              {agreements.map(agreement => (
                <Line key={agreement.slug} agreement={agreement} />
              ))}
            </tbody>
          </table>
        </ScrollX>
        <p className="soft">
          Once both sides have signed, these numbers are fixed for good. A signature cannot be withdrawn. If one of them
          has moved meanwhile, nothing is signed.
        </p>
        {error !== null && <Trouble error={error} />}
        <ProofForm
          words={`Sign ${countOf(agreements.length, 'agreement')}`}
          isSigning={isSigning}
          hash={null}
          sign={sign}
          close={close}
        />
      </div>
    </Dialog>
  )
}

function Line({ agreement }: { readonly agreement: PickedAgreement }) {
  const { name, periods, currency, priceBefore, priceAfter, effect } = agreement
  const [first, last] = [periods[0]!.entry.period, periods.at(-1)!.entry.period]
  const moving = periods.filter(({ entry }) => entry.adjustmentPct === null || /[1-9]/.test(entry.adjustmentPct))
  const disputed = periods.filter(({ entry }) => entry.disputedBy.length > 0)
  return (
    <tr>
      <td>
        {name}
        {disputed.length > 0 && <State kind="trouble">{countOf(disputed.length, 'period')} disputed</State>}
      </td>
      <td className="figures">{first === last ? first : `${first} to ${last}`}</td>
      <td className="right figures">
        {moving.length === 0 ? writePct('0') : moving.map(({ entry }) => writePct(entry.adjustmentPct)).join(', ')}
      </td>
      <td className="right figures">
        {priceAfter !== null &&
          (priceBefore === null
            ? writeMoney(priceAfter, currency)
            : `${writeMoney(priceBefore, null)} → ${writeMoney(priceAfter, currency)}`)}
      </td>
      <td className="right figures">{effect !== null && writeMoneyChange(effect, currency)}</td>
    </tr>
  )
}
