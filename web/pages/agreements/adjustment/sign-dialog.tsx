// The dialog before signing: every number to be signed, by whom, with which hashes, and for which side. If something has
// changed meanwhile, it fetches the new proposal, shows the changes and asks again.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { signedHashOf } from '../../../../src/core/receipt/party-signature.ts'
import type { SignOffRequest } from '../../../../src/http/console/wire/agreement-calls.ts'
import type { AdjustmentPage, Party } from '../../../../src/views/shapes/agreements.ts'
import { ApiFailure, api } from '../../../api.ts'
import { adjustmentQuery } from '../../../components/agreements/queries.ts'
import { otherParty, writeSigner } from '../../../components/agreements/sign-state.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import { factorsQuery } from '../../../components/signing/factors.ts'
import { type Proof, ProofForm } from '../../../components/signing/proof-form.tsx'
import classes from '../../../components/signing/sign-panel.module.css'
import { writeWay } from '../../../components/words/price-words.ts'
import { writeDay, writeHash, writeMoney, writePct } from '../../../components/words/words.ts'
import { useSession, useWorkspace } from '../../../session.ts'
import { Informed } from './informed.tsx'
import { proposalOf, whatMoved, whatMovedAmong } from './moved.ts'
import { SignedPeriods } from './signed-periods.tsx'

interface SignDialogProps {
  readonly page: AdjustmentPage
  readonly party: Party
  readonly close: () => void
}

export function SignDialog({ page, party, close }: SignDialogProps) {
  const { asked, moved, error, isSigning, sign } = useSigning(page, party, close)
  const { entry, signing, formula } = asked
  const isMany = signing.periods.length > 1
  const title = isMany ? `Sign ${signing.periods.length} periods as ${party}` : `Sign ${entry.period} as ${party}`
  return (
    <Dialog onClose={close} title={title} size={isMany ? 640 : 520}>
      <div className={classes.dialog}>
        {moved.length > 0 && <MovedMeanwhile sentences={moved} />}
        <Asked page={asked} party={party} />
        {isMany && <SignedPeriods periods={signing.periods} price={formula.price} />}
        <Informed page={asked} />
        <p className="soft">
          {isMany
            ? 'Once both sides have signed, these numbers are fixed for good. A signature cannot be withdrawn.'
            : 'Once both sides have signed, this number is fixed for good. A signature cannot be withdrawn.'}
        </p>
        {error !== null && <Trouble error={error} />}
        <ProofForm
          words={moved.length > 0 ? `Sign the new proposal as ${party}` : `Sign as ${party}`}
          isSigning={isSigning}
          hash={signedHashOf(signing.periods)}
          sign={sign}
          close={close}
        />
      </div>
    </Dialog>
  )
}

function useSigning(page: AdjustmentPage, party: Party, close: () => void) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  // The person signs what was shown: it changes only together with the sentences that describe the change.
  const [asked, setAsked] = useState(page)
  const [moved, setMoved] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isSigning, setSigning] = useState(false)
  const { formula, entry, signing } = asked
  const query = adjustmentQuery(workspace, formula.slug, entry.period)

  const askAgain = async (failure: ApiFailure) => {
    const fresh = await queries.fetchQuery({ ...query, staleTime: 0 })
    const currency = formula.price?.currency
    const sentences = [
      ...whatMoved(proposalOf(asked), proposalOf(fresh), currency),
      ...whatMovedAmong(signing.periods, fresh.signing.periods, entry.period, currency),
    ]
    if (sentences.length === 0 || fresh.signing.as !== party) throw failure
    setMoved(sentences)
    setAsked(fresh)
  }
  const send = async (proof: Proof) => {
    if ('password' in proof && proof.password !== null) await api.post('/confirm', { password: proof.password })
    const passkey = 'passkey' in proof ? { passkey: await proof.passkey() } : {}
    const periods = signing.periods.map(({ period, hash }) => ({ period, hash }))
    const request: SignOffRequest = { party, periods, ...passkey }
    const { slug } = formula
    return api.post(workspace.path('/formulas/:slug/periods/:period/sign', { slug, period: entry.period }), request)
  }
  /** Returns whether the request reached the server: if it did not, the password need not be typed again. */
  const sign = async (proof: Proof): Promise<boolean> => {
    setSigning(true)
    setError(null)
    try {
      const after = await send(proof)
      queries.setQueryData(query.queryKey, after)
      close()
      await queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
      return true
    } catch (failure) {
      const isMoved = failure instanceof ApiFailure && failure.status === 409
      await (isMoved ? askAgain(failure) : Promise.reject(failure)).catch(setError)
      setSigning(false)
      return failure instanceof ApiFailure && failure.status !== 0
    } finally {
      void queries.invalidateQueries(factorsQuery)
    }
  }
  return { asked, moved, error, isSigning, sign }
}

function MovedMeanwhile({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div className={classes.note} role="alert">
      <h3>The proposal moved while you were looking; nothing was signed</h3>
      <ul>
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

function Asked({ page, party }: { readonly page: AdjustmentPage; readonly party: Party }) {
  const person = useSession()?.person
  const { formula, entry, signing } = page
  const other = otherParty[party]
  const theirs = entry.signatures[other]
  return (
    <dl className={classes.asked}>
      <div>
        <dt>Formula</dt>
        <dd>{formula.name}</dd>
      </div>
      {signing.periods.length < 2 && <OneNumber page={page} />}
      <div>
        <dt>Signed by</dt>
        <dd>
          {person?.name}, {person?.email}
        </dd>
      </div>
      <div>
        <dt>The {other}</dt>
        <dd>
          {theirs === null ? 'has not signed yet' : `${writeSigner(theirs)} signed on ${writeDay(theirs.signedAt)}`}
        </dd>
      </div>
    </dl>
  )
}

function OneNumber({ page: { formula, entry, priceBefore } }: { readonly page: AdjustmentPage }) {
  const [isWhole, setWhole] = useState(false)
  const money = (amount: string) => writeMoney(amount, formula.price?.currency)
  return (
    <>
      <div>
        <dt>Adjustment</dt>
        <dd className={classes.number}>{writePct(entry.adjustmentPct)}</dd>
      </div>
      <div>
        <dt>Since the start</dt>
        <dd>{writePct(entry.cumulativePct)}</dd>
      </div>
      {entry.price !== null && (
        <div>
          <dt>Price</dt>
          <dd className={classes.number}>
            {priceBefore === null ? money(entry.price) : writeWay(money(priceBefore), money(entry.price))}
          </dd>
        </div>
      )}
      <div>
        <dt>Receipt</dt>
        <dd className="mono">
          <button
            type="button"
            className={classes.hashButton}
            aria-expanded={isWhole}
            title={isWhole ? undefined : 'The whole hash'}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? entry.hash : writeHash(entry.hash)}
          </button>
        </dd>
      </div>
    </>
  )
}
