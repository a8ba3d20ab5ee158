// The one question before a signature: exactly what is signed, by whom, under which hash. Where the proposal has moved
// meanwhile, the new one is fetched, what changed is said, and the question is asked again.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdjustmentPage, Party, SignOffQuestion } from '../../../src/http/console/wire/formulas.ts'
import { ApiFailure, api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { TextLink } from '../../components/links.tsx'
import { Trouble } from '../../components/page.tsx'
import { writeDay, writeHash, writeMoney, writePct } from '../../components/words.ts'
import { useSession, useWorkspace } from '../../session.ts'
import { adjustmentQuery, useFormula } from '../formula/queries.ts'
import { otherParty } from '../formula/sign-state.tsx'
import { writeWay } from '../formula/words.ts'
import { proposalOf, whatMoved } from './moved.ts'
import classes from './sign-panel.module.css'

interface SignDialogProps {
  readonly page: AdjustmentPage
  readonly party: Party
  readonly close: () => void
}

export function SignDialog({ page, party, close }: SignDialogProps) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  // What is signed is what was shown: it changes only together with the sentences that say so.
  const [asked, setAsked] = useState(page)
  const [moved, setMoved] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isSigning, setSigning] = useState(false)
  const { formula, entry, signing } = asked
  const query = adjustmentQuery(workspace, formula.slug, entry.period)
  // Nothing is signed along before its number was there to be seen.
  const isShown = useFormula(formula.slug).data !== undefined || signing.earlier.length === 0

  const askAgain = async (failure: ApiFailure) => {
    const fresh = await queries.fetchQuery({ ...query, staleTime: 0 })
    if (fresh.entry.hash === entry.hash) throw failure
    setMoved(whatMoved(proposalOf(asked), proposalOf(fresh), formula.price?.currency))
    setAsked(fresh)
  }
  const sign = async () => {
    setSigning(true)
    setError(null)
    const question: SignOffQuestion = { party, hash: entry.hash, through: signing.earlier.length > 0 }
    const path = workspace.path(`/formulas/${encodeURIComponent(formula.slug)}/periods/${entry.period}/sign`)
    try {
      const after = await api.post<AdjustmentPage>(path, question)
      queries.setQueryData(query.queryKey, after)
      close()
      await queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
    } catch (failure) {
      const isMoved = failure instanceof ApiFailure && failure.status === 409
      await (isMoved ? askAgain(failure) : Promise.reject(failure)).catch(setError)
      setSigning(false)
    }
  }

  return (
    <Dialog onClose={close} title={`Sign ${entry.period} as ${party}`} size={520}>
      <div className={classes.dialog}>
        {moved.length > 0 && <MovedMeanwhile sentences={moved} />}
        <Asked page={asked} party={party} />
        {signing.earlier.length > 0 && <Earlier page={asked} />}
        <p className="soft">
          Once both sides have signed, this number is fixed for good. A signature cannot be taken back.
        </p>
        {error !== null && <Trouble error={error} />}
        <div className={classes.actions}>
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button onClick={() => void sign()} loading={isSigning} disabled={!isShown} data-autofocus>
            {moved.length > 0 ? `Sign the new proposal as ${party}` : `Sign as ${party}`}
          </Button>
        </div>
      </div>
    </Dialog>
  )
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
  const { formula, entry, priceBefore } = page
  const currency = formula.price?.currency
  const other = otherParty[party]
  const theirs = entry.signatures[other]
  const money = (amount: string) => writeMoney(amount, currency)
  return (
    <dl className={classes.asked}>
      <div>
        <dt>Formula</dt>
        <dd>{formula.name}</dd>
      </div>
      <div>
        <dt>Adjustment</dt>
        <dd className={classes.number}>{writePct(entry.adjustmentPct)}</dd>
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
        <dd className="mono">{writeHash(entry.hash)}</dd>
      </div>
      <div>
        <dt>Signed by</dt>
        <dd>
          {person?.name}, {person?.email}
        </dd>
      </div>
      <div>
        <dt>The {other}</dt>
        <dd>{theirs === null ? 'has not signed yet' : `${theirs.name} signed on ${writeDay(theirs.signedAt)}`}</dd>
      </div>
    </dl>
  )
}

/** Signed along with it: named, with the numbers they stand at. */
function Earlier({ page: { formula, signing } }: { readonly page: AdjustmentPage }) {
  const { slug: ws } = useWorkspace()
  const { data } = useFormula(formula.slug)
  return (
    <div>
      <p>
        {signing.earlier.length === 1 ? 'An earlier period waits and is' : 'Earlier periods wait and are'} signed with
        it:
      </p>
      <ul>
        {signing.earlier.map(period => {
          const entry = data?.entries.find(each => each.period === period)
          return (
            <li key={period}>
              <TextLink
                className="in-text"
                to="/w/$ws/formulas/$slug/periods/$period"
                params={{ ws, slug: formula.slug, period }}
              >
                {period}
              </TextLink>
              {entry !== undefined && `: ${writePct(entry.adjustmentPct)}`}
              {entry?.price != null && `, ${writeMoney(entry.price, formula.price?.currency)}`}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
