// Panel for signing: the number to sign, the state of the other side and the changes since; or why there is nothing to sign.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { parties } from '../../../../src/core/parties.ts'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AdjustmentPage, MovedView, Party } from '../../../../src/views/shapes/agreements.ts'
import { formatDisputed } from '../../../components/agreements/objection-words.ts'
import { useHistory } from '../../../components/agreements/queries.ts'
import { CorrectedWords } from '../../../components/agreements/settled-words.tsx'
import {
  formatNotSignedThen,
  formatSigner,
  missingParties,
  otherParty,
} from '../../../components/agreements/sign-state.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { IconSign } from '../../../components/page/icons.tsx'
import classes from '../../../components/signing/sign-panel.module.css'
import { formatAdjustment, formatGround } from '../../../components/words/step-words.ts'
import {
  formatHash,
  formatInstant,
  formatMoney,
  formatParties,
  formatPct,
  sentenceCase,
} from '../../../components/words/words.ts'
import { useSession } from '../../../session.ts'
import { formatInstantsIn } from './changed-proposal.ts'
import { Causes } from './history.tsx'
import { useLastLook } from './last-look.ts'
import { ObjectDialog } from './object-dialog.tsx'
import { SignDialog } from './sign-dialog.tsx'
import { Informed } from './signing-notes.tsx'

interface SignPanelProps {
  readonly page: AdjustmentPage
  /** The page shows an earlier day: nothing can be signed, and it does not count as a look at the proposal. */
  readonly isPast: boolean
}

export function SignPanel({ page, isPast }: SignPanelProps) {
  const [isAsked, setAsked] = useState(false)
  const [isObjecting, setObjecting] = useState(false)
  const { entry, signing, objections } = page
  const isOpen = signing.as !== null && !entry.isSigned
  return (
    <aside className={`${classes.panel} no-print`} aria-label="Sign-off">
      {entry.isSigned ? (
        <Fixed page={page} />
      ) : isOpen ? (
        <Open page={page} party={signing.as!} ask={() => setAsked(true)} />
      ) : (
        <Waiting page={page} isPast={isPast} />
      )}
      {objections.as !== null && (
        <Button variant="default" onClick={() => setObjecting(true)} fullWidth mt={8}>
          Object
        </Button>
      )}
      {!entry.isSigned && <Informed page={page} />}
      {!entry.isSigned && !isPast && <Since page={page} />}
      {signing.moved.map(moved => (
        <Moved key={`${moved.party} ${moved.hash}`} moved={moved} page={page} />
      ))}
      {isObjecting && objections.as !== null && (
        <ObjectDialog page={page} party={objections.as} close={() => setObjecting(false)} />
      )}
      {isAsked && isOpen && <SignDialog page={page} party={signing.as!} close={() => setAsked(false)} />}
    </aside>
  )
}

interface PartProps {
  readonly page: AdjustmentPage
}

function Fixed({ page: { entry, agreement } }: PartProps) {
  return (
    <>
      <h2>
        <State kind="good">Signed by both sides</State>
      </h2>
      <p>
        {entry.settled?.correction == null ? (
          'Only a correction that both sides sign replaces this number. Numbers from later figures are shown beside it.'
        ) : (
          <>
            Signed as {formatPct(entry.adjustmentPct)}
            {entry.price !== null && `, ${formatMoney(entry.price, agreement.price?.currency)}`}; since then{' '}
            <CorrectedWords settled={entry.settled} />.
          </>
        )}
      </p>
      <Sides entry={entry} />
    </>
  )
}

function Open({ page, party, ask }: PartProps & { readonly party: Party; readonly ask: () => void }) {
  const { entry, agreement, signing } = page
  const other = otherParty[party]
  const theirs = entry.signatures[other]
  const earlier = signing.periods.slice(0, -1).map(({ period }) => period)
  const price = entry.price === null ? '' : ` and ${formatMoney(entry.price, agreement.price?.currency)}`
  const told = [formatGround(entry.step, entry.ground), formatAdjustment(entry.step, entry.adjustmentPct)]
  return (
    <>
      <h2>
        {entry.disputedBy.length > 0 ? (
          <State kind="trouble">{sentenceCase(formatDisputed(entry.disputedBy))}</State>
        ) : (
          <State kind="waiting">Waiting for your signature</State>
        )}
      </h2>
      <p>
        You are asked to sign {formatPct(entry.step.changePct)}
        {price} for {entry.period} as {party}.
      </p>
      {told.map(words => words !== null && <p key={words}>{sentenceCase(words)}</p>)}
      <p>
        {theirs === null
          ? `The ${other} has not signed yet.`
          : `The ${other} has signed: ${formatSigner(theirs)}, ${formatDate(theirs.signedAt)}.`}
      </p>
      {earlier.length > 0 && (
        <p>
          {formatSpan(earlier)} {earlier.length === 1 ? 'comes' : 'come'} first; signing here signs{' '}
          {earlier.length === 1 ? 'it' : 'them'} too. Every number is shown before you sign.
        </p>
      )}
      <Button leftSection={<IconSign />} onClick={ask} fullWidth mt={8}>
        Sign as {party}
      </Button>
    </>
  )
}

/** A few periods by name, many as a range. */
function formatSpan(periods: readonly string[]): string {
  return periods.length < 5 ? periods.join(', ') : `${periods[0]} to ${periods.at(-1)}, ${periods.length} periods,`
}

function Waiting({ page: { entry, agreement, signing }, isPast }: SignPanelProps) {
  const missing = missingParties(entry.signatures)
  return (
    <>
      <h2>
        {missing.length === 0 ? (
          <State kind="good">Signed by both sides</State>
        ) : isPast ? (
          sentenceCase(formatNotSignedThen(missing))
        ) : agreement.status === 'ACTIVE' ? (
          <State kind="waiting">Waits for {formatParties(missing)}</State>
        ) : (
          'Cannot be signed now'
        )}
      </h2>
      <Sides entry={entry} />
      {signing.whyNot !== null && <p className="soft">{signing.whyNot}</p>}
    </>
  )
}

function Sides({ entry }: { readonly entry: AdjustmentPage['entry'] }) {
  return (
    <dl className={classes.sides}>
      {parties.map(party => {
        const signature = entry.signatures[party]
        return (
          <div key={party}>
            <dt>{party}</dt>
            <dd>
              {signature === null ? 'not signed' : `${formatSigner(signature)}, ${formatInstant(signature.signedAt)}`}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Changes since this person last looked at the period, in any browser. */
function Since({ page }: PartProps) {
  const email = useSession()?.person.email ?? ''
  const { agreement, entry } = page
  const seen = useLastLook(page)
  const { data } = useHistory(agreement.slug, entry.period)
  const isSignedByMe = parties.some(party => entry.signatures[party]?.email.toLowerCase() === email.toLowerCase())
  if (seen === null || seen.hash === entry.hash || isSignedByMe) return null
  const proposed = data?.events.filter(event => event.kind === 'proposed') ?? []
  const since = proposed.filter(({ at }) => at > seen.at)
  const before = proposed.find(({ at }) => at <= seen.at)?.number
  const currency = agreement.price?.currency
  return (
    <div className={classes.note} aria-live="polite">
      <h3>Since you last looked on {formatInstant(seen.at)}</h3>
      <p className="figures">
        {before != null && `${formatPct(before.adjustmentPct)} → `}
        {formatPct(entry.adjustmentPct)}
        {before?.price != null &&
          entry.price !== null &&
          `; ${formatMoney(before.price, currency)} → ${formatMoney(entry.price, currency)}`}
      </p>
      {since.map(event => (
        <Causes key={event.at} event={event} slug={agreement.slug} />
      ))}
    </div>
  )
}

function Moved({ moved, page: { agreement, signing } }: PartProps & { readonly moved: MovedView }) {
  const { party, signature, adjustmentPct, price, hash, changes } = moved
  const who = party === signing.as ? 'You' : `The ${party}, ${formatSigner(signature)},`
  return (
    <div className={classes.note}>
      <h3>The proposal has moved</h3>
      <p>
        {who} signed {formatPct(adjustmentPct)}
        {price !== null && `, ${formatMoney(price, agreement.price?.currency)}`} on {formatInstant(signature.signedAt)}{' '}
        <span className="mono">({formatHash(hash)})</span>. Another number is proposed now and has to be signed again.
      </p>
      {changes.length > 0 && (
        <ul>
          {changes.map(sentence => (
            <li key={sentence}>{formatInstantsIn(sentence)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
