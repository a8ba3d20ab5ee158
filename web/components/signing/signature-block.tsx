// Signatures at the end of the sheet, as on paper: the signer of each side, the time, and the receipt; or a line to sign on.

import { parties } from '../../../src/core/parties.ts'
import type { AdjustmentPage, MovedView, Party, PeriodRow } from '../../../src/views/shapes/agreements.ts'
import { formatMeans, formatSigner } from '../agreements/sign-state.tsx'
import { State } from '../figures/figures.tsx'
import { formatHash, formatInstant } from '../words/words.ts'
import classes from './signature-block.module.css'
import { SignerPhrases } from './signer-note.tsx'

interface SignatureBlockProps {
  readonly entry: Pick<PeriodRow, 'hash' | 'signatures'>
  readonly signers: AdjustmentPage['signers']
  readonly moved: readonly MovedView[]
}

export function SignatureBlock({ entry, signers, moved }: SignatureBlockProps) {
  return (
    <div className={classes.block}>
      {parties.map(party => (
        <Side
          key={party}
          party={party}
          entry={entry}
          told={signers[party]}
          moved={moved.find(each => each.party === party)}
        />
      ))}
    </div>
  )
}

interface SideProps {
  readonly party: Party
  readonly entry: Pick<PeriodRow, 'hash' | 'signatures'>
  readonly told: readonly string[]
  readonly moved: MovedView | undefined
}

function Side({ party, entry, told, moved }: SideProps) {
  const signature = entry.signatures[party]
  return (
    <section className={classes.side} aria-label={party}>
      <h3>{party === 'buyer' ? 'For the buyer' : 'For the supplier'}</h3>
      <p className={classes.line}>{signature === null ? '\u00a0' : signature.name}</p>
      {signature === null ? (
        <p className={classes.words}>
          <State kind="waiting">not signed</State>
          <span className={classes.paper}>Name and date</span>
        </p>
      ) : (
        <p className={classes.words}>
          <State kind="good">
            signed {formatInstant(signature.signedAt)} {formatMeans(signature)}
          </State>
          {signature.means === 'OPERATOR' ? (
            <span className={classes.mark}>not by the person, but in the name of {signature.email}</span>
          ) : (
            <span>{signature.email}</span>
          )}
        </p>
      )}
      {told.length > 0 && <SignerPhrases phrases={told} />}
      <p className={classes.hash}>
        receipt <span className="mono">{formatHash(entry.hash)}</span>
      </p>
      {signature === null && moved !== undefined && (
        <p className={classes.hash}>
          {formatSigner(moved.signature)} signed an earlier proposal,{' '}
          <span className="mono">{formatHash(moved.hash)}</span>, on {formatInstant(moved.signature.signedAt)}.
        </p>
      )}
    </section>
  )
}
