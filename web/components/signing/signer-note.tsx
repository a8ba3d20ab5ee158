// Record of the person who signs, which becomes part of the signature: shown before they sign.
import { useQuery } from '@tanstack/react-query'
import { formatSignerOrigin, type SignerOrigin } from '../../../src/core/receipt/signer-origin.ts'
import { useWorkspace, workspaceQuery } from '../../session.ts'
import classes from './signer-note.module.css'

export function useSigner() {
  return useQuery({
    ...workspaceQuery(useWorkspace(), '/signer'),
    staleTime: 0,
  })
}

export function SignerNote({ origin }: { readonly origin: SignerOrigin }) {
  const [newest] = origin.passkeys.toReversed()
  const phrases = formatSignerOrigin({ origin, credentialId: newest?.id ?? null, side: undefined })
  return (
    <details className={classes.note}>
      <summary>Your signature is shown with this record about you</summary>
      <SignerPhrases phrases={phrases} />
    </details>
  )
}

export function SignerPhrases({ phrases }: { readonly phrases: readonly string[] }) {
  return (
    <ul className={classes.phrases}>
      {phrases.map(phrase => (
        <li key={phrase}>
          {phrase[0]!.toUpperCase()}
          {phrase.slice(1)}
        </li>
      ))}
    </ul>
  )
}
