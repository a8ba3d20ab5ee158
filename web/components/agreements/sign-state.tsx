// Signatures of a period in words: who has signed and who has not.

import { Tooltip } from '@mantine/core'
import { parties } from '../../../src/core/parties.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import type { AgreementStatus, Party, PeriodRow } from '../../../src/views/shapes/agreements.ts'
import type { Signatures, SignatureView } from '../../../src/views/shapes/signatures.ts'
import { State } from '../figures/figures.tsx'
import { formatParties } from '../words/words.ts'
import { formatDisputed } from './objection-words.ts'

export const otherParty = { buyer: 'supplier', supplier: 'buyer' } as const

export function missingParties(signatures: Signatures): readonly Party[] {
  return parties.filter(party => signatures[party] === null)
}

/** Name of the signer, and whether somebody else signed on their behalf. */
export function formatSigner({ name, means }: Pick<SignatureView, 'name' | 'means'>): string {
  return means === 'OPERATOR' ? `the operator, in the name of ${name}` : name
}

/** Means of signing, for use after `signed`; empty if it is not known. Only a passkey or a provider can be checked elsewhere. */
export function formatMeans({ means }: Pick<SignatureView, 'means'>): string {
  return {
    PASSKEY: 'with a passkey',
    PROVIDER: 'by the identity provider of their company',
    PASSWORD: 'with a password, recorded by this server',
    OPERATOR: 'by the operator',
  }[means]
}

/** `the buyer, Ann Archer, on 3 Sep 2026; the supplier …`. */
function formatSignatures(signatures: Signatures): string {
  return parties
    .flatMap(party => {
      const signature = signatures[party]
      return signature === null ? [] : [`${party}: ${formatSigner(signature)}, ${formatDate(signature.signedAt)}`]
    })
    .join('; ')
}

/** `not signed by the buyer then`. */
export function formatNotSignedThen(missing: readonly Party[]): string {
  return missing.length === parties.length ? 'not signed then' : `not signed by ${formatParties(missing)} then`
}

interface SignStateProps {
  readonly entry: Pick<PeriodRow, 'isSigned' | 'signatures' | 'disputedBy'>
  /** Only ACTIVE agreements can be signed; the others wait for nobody. */
  readonly status?: AgreementStatus
  /** Whether the page is as it stood: missing signatures are then not waited for. */
  readonly isPast?: boolean
}

export function SignState({ entry, status = 'ACTIVE', isPast = false }: SignStateProps) {
  const { signatures, disputedBy } = entry
  const words = formatSignatures(signatures)
  const missing = missingParties(signatures)
  if (entry.isSigned || missing.length === 0)
    return (
      <Tooltip label={words} disabled={words === ''}>
        <span>
          <State kind="good">signed by both</State>
        </span>
      </Tooltip>
    )
  if (isPast && disputedBy.length === 0) return <span className="soft">{formatNotSignedThen(missing)}</span>
  if (status !== 'ACTIVE') return <span className="soft">not signed</span>
  return (
    <Tooltip label={words} disabled={words === ''}>
      <span>
        {disputedBy.length > 0 ? (
          <State kind="trouble">{formatDisputed(disputedBy)}</State>
        ) : (
          <State kind="waiting">waits for {formatParties(missing)}</State>
        )}
      </span>
    </Tooltip>
  )
}

const statusWords: Readonly<Record<AgreementStatus, string>> = {
  DRAFT: 'draft',
  ACTIVE: 'active',
  SUSPENDED: 'suspended',
  EXPIRED: 'expired',
  ARCHIVED: 'archived',
}

export const statuses = Object.keys(statusWords) as readonly AgreementStatus[]

export function formatStatus(status: AgreementStatus): string {
  return statusWords[status]
}

export function StatusLabel({ status }: { readonly status: AgreementStatus }) {
  const words = formatStatus(status)
  return status === 'SUSPENDED' ? <State kind="waiting">{words}</State> : <span>{words}</span>
}
