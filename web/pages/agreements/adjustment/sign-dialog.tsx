// The dialog before signing: every number to sign, the signer, the hashes, and the side. If something has changed meanwhile, the
// dialog fetches the new proposal, shows the changes and asks again.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { signedHashOf } from '../../../../src/core/receipt/party-signature.ts'
import type { AdjustmentPage, Party } from '../../../../src/views/shapes/agreements.ts'
import { api } from '../../../api.ts'
import { adjustmentQuery } from '../../../components/agreements/queries.ts'
import { datedFacts } from '../../../components/signing/dated-terms.tsx'
import classes from '../../../components/signing/sign-panel.module.css'
import { type SignedFact, SignedFacts, SigningDialog } from '../../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../../components/signing/use-signing.ts'
import { formatWay } from '../../../components/words/price-words.ts'
import { formatAdjustment, formatGround } from '../../../components/words/step-words.ts'
import { formatHash, formatMoney, formatPct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { proposalOf, whatMoved, whatMovedAmong } from './changed-proposal.ts'
import { SignedPeriods } from './signed-periods.tsx'
import { Informed } from './signing-notes.tsx'

interface SignDialogProps {
  readonly page: AdjustmentPage
  readonly party: Party
  readonly close: () => void
}

export function SignDialog({ page, party, close }: SignDialogProps) {
  const { asked, moved, signing } = usePeriodSigning(page, party, close)
  const { periods } = asked.signing
  const isMany = periods.length > 1
  const words = formatGround(asked.entry.step, asked.entry.ground)
  return (
    <SigningDialog
      title={isMany ? `Sign ${periods.length} periods as ${party}` : `Sign ${asked.entry.period} as ${party}`}
      size={isMany ? 640 : 520}
      words={moved.length > 0 ? `Sign the new proposal as ${party}` : `Sign as ${party}`}
      hash={signedHashOf(periods)}
      signing={signing}
      signWith={asked.signing.signWith}
      close={close}
    >
      {moved.length > 0 && <MovedMeanwhile sentences={moved} />}
      <SignedFacts
        facts={[
          { label: 'Agreement', value: asked.agreement.name },
          ...(isMany ? [] : numberFacts(asked)),
          ...datedFacts(asked.datedTerms),
        ]}
        party={party}
        signatures={asked.entry.signatures}
      />
      {isMany && <SignedPeriods periods={periods} price={asked.agreement.price} />}
      {words !== null && <p>{words}</p>}
      <Informed page={asked} />
      <p className="soft">
        {isMany
          ? 'Once both sides have signed, these numbers are fixed for good. A signature cannot be withdrawn.'
          : 'Once both sides have signed, this number is fixed for good. A signature cannot be withdrawn.'}
      </p>
    </SigningDialog>
  )
}

function usePeriodSigning(page: AdjustmentPage, party: Party, close: () => void) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  // The person signs what was shown: it changes only together with the sentences that describe the change.
  const [asked, setAsked] = useState(page)
  const [moved, setMoved] = useState<readonly string[]>([])
  const { agreement, entry } = asked
  const { periods } = asked.signing
  const query = adjustmentQuery(workspace, agreement.slug, entry.period)
  const shown = periods.map(({ period, hash }) => ({ period, hash }))
  const signing = useSigning({
    asked: { agreements: [{ slug: agreement.slug, party, periods: shown }] },
    send: proof => {
      const place = { slug: agreement.slug, period: entry.period }
      return api.post(workspace.path('/agreements/:slug/periods/:period/sign', place), {
        party,
        periods: shown,
        ...proof,
      })
    },
    done: after => {
      queries.setQueryData(query.queryKey, after)
      close()
    },
    moved: async failure => {
      const fresh = await queries.fetchQuery({ ...query, staleTime: 0 })
      const currency = agreement.price?.currency
      const sentences = [
        ...whatMoved(proposalOf(asked), proposalOf(fresh), currency),
        ...whatMovedAmong(periods, fresh.signing.periods, entry.period, currency),
      ]
      if (sentences.length === 0 || fresh.signing.as !== party) throw failure
      setMoved(sentences)
      setAsked(fresh)
    },
  })
  return { asked, moved, signing }
}

function MovedMeanwhile({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div className={classes.note} role="alert">
      <h3>The proposal changed while this dialog was open; nothing was signed</h3>
      <ul>
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

function numberFacts({ agreement, entry }: AdjustmentPage): readonly SignedFact[] {
  const money = (amount: string) => formatMoney(amount, agreement.price?.currency)
  const { priceBefore, changePct } = entry.step
  const isOther = formatAdjustment(entry.step, entry.adjustmentPct) !== null
  return [
    { label: priceBefore === null ? 'Adjustment' : 'Change', value: formatPct(changePct), isNumber: true },
    ...(isOther ? [{ label: 'Adjustment under the contract', value: formatPct(entry.adjustmentPct) }] : []),
    { label: 'Since the start', value: formatPct(entry.cumulativePct) },
    ...(entry.price === null
      ? []
      : [
          {
            label: 'Price',
            value: priceBefore === null ? money(entry.price) : formatWay(money(priceBefore), money(entry.price)),
            isNumber: true,
          },
        ]),
    { label: 'Receipt', value: <Hash hash={entry.hash} /> },
  ]
}

function Hash({ hash }: { readonly hash: string }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <button
      type="button"
      className={`${classes.hashButton} mono`}
      aria-expanded={isWhole}
      title={isWhole ? undefined : 'The full hash'}
      onClick={() => setWhole(!isWhole)}
    >
      {isWhole ? hash : formatHash(hash)}
    </button>
  )
}
