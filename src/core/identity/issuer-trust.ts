// Trusted keys of identity providers: a file that maps issuers to their key sets, which the reader got from the provider and
// not from the installation whose receipts are checked.

import { Refusal } from '../refusal.ts'
import { isSameKey, type ProviderKey, readProviderKeys } from './provider-key.ts'
import type { ProviderProof } from './provider-signature.ts'

interface TrustedIssuer {
  readonly keys: readonly ProviderKey[]
  /** The installation's names at the issuer; null where the reader gives none. */
  readonly clients: readonly string[] | null
}

export type TrustedIssuers = ReadonlyMap<string, TrustedIssuer>

/** `not-compared` where the reader named no keys at all. */
export type IssuerTrust = 'trusted' | 'other' | 'not-compared'

/** `{"https://login.nova.example": {"keys": […], "clients": ["assize"]}}`; `clients` may be left out. */
export function readTrustedIssuers(source: string): TrustedIssuers {
  let json: unknown
  try {
    json = JSON.parse(source)
  } catch {
    throw new Refusal('invalid', 'it is not JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Refusal('invalid', 'it is not a mapping from issuers to their keys')
  return new Map(Object.entries(json).map(([issuer, set]) => [issuer, readTrusted(issuer, set)]))
}

function readTrusted(issuer: string, set: unknown): TrustedIssuer {
  if (!/^https?:\/\//.test(issuer))
    throw new Refusal('invalid', `${JSON.stringify(issuer)} is not the address of an issuer`)
  const keys = readProviderKeys(set)
  if (keys.length === 0) throw new Refusal('invalid', `there is no key of ${issuer} that signs tokens`)
  const { clients = null } = set as { readonly clients?: unknown }
  if (clients !== null && !(Array.isArray(clients) && clients.every(each => typeof each === 'string')))
    throw new Refusal('invalid', `clients of ${issuer} is not a list of names`)
  return { keys, clients }
}

export function issuerTrustOf(
  { issuer, clientId, key }: Pick<ProviderProof, 'issuer' | 'clientId' | 'key'>,
  trusted: TrustedIssuers | null,
): IssuerTrust {
  if (trusted === null) return 'not-compared'
  const { keys = [], clients = null } = trusted.get(issuer) ?? {}
  const isClient = clients === null || clients.includes(clientId)
  return isClient && keys.some(each => isSameKey(each, key)) ? 'trusted' : 'other'
}
