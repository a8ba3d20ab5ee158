// Rows of a signature: the signed receipts, the act of signing, and its sign-offs. For many agreements at once, each kind in one
// statement. While the log is open; rows are added, never changed.

import type { OpenLog } from '../log/append.ts'
import { appendEntries } from '../log/entry-rows.ts'
import type { Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { insertRows } from '../postgres/many-rows.ts'
import type { SignedReceipt, SignOff } from './agreements.ts'
import type { OfAgreement, Signing } from './signing.ts'

/** A receipt to keep, of one agreement. */
export type NewReceipt = OfAgreement<Omit<SignedReceipt, 'seq' | 'recordedAt' | 'seal'>>

/** Keeps receipts the first time they are signed or objected to; a second party signs the one that is there. */
export async function keepReceipts(tx: Transaction, log: OpenLog, receipts: readonly NewReceipt[]): Promise<void> {
  const column = (key: 'agreementId' | 'period' | 'receiptHash') => receipts.map(each => each[key])
  const stored = await tx<{ key: string }[]>`
    select r.agreement_id || ' ' || r.period || ' ' || r.receipt_hash as key from signed_receipt r
    join unnest(${column('agreementId')}::text[], ${column('period')}::text[], ${column('receiptHash')}::text[])
      as given (agreement_id, period, receipt_hash) using (agreement_id, period, receipt_hash)
    where r.workspace_id = ${log.scope}`
  const known = new Set(stored.map(({ key }) => key))
  const fresh = receipts.filter(
    ({ agreementId, period, receiptHash }) => !known.has(`${agreementId} ${period} ${receiptHash}`),
  )
  if (fresh.length === 0) return
  await appendEntries(
    tx,
    log,
    'receipt',
    fresh.map(({ agreementId, ...facts }) => ({ subject: agreementId, facts })),
  )
}

/** Inserts the acts of signing, whose sign-offs follow, and returns their ids. */
export async function insertSignings(
  tx: Transaction,
  { scope }: OpenLog,
  signings: readonly Signing[],
): Promise<readonly string[]> {
  const rows = signings.map(({ personId, name, fromAddress, means, together, passkey, provider, origin, batch }) => ({
    workspace_id: scope,
    id: makeIdentifier('sgn'),
    person_id: personId,
    name,
    from_address: fromAddress,
    means,
    periods: tx.json(together as never),
    passkey: passkey === null ? null : tx.json(passkey as never),
    provider: provider === null ? null : tx.json(provider as never),
    origin: origin === null ? null : tx.json(origin as never),
    batch_id: batch?.id ?? null,
    batch_salt: batch?.salt ?? null,
  }))
  await insertRows(tx, 'signing', rows)
  return rows.map(({ id }) => id)
}

type NewSignOff = Omit<SignOff, 'seq' | 'signedAt' | 'storedAt' | 'seal'>

/** A sign-off of one agreement, with the act that it belongs to. */
type GivenSignOff = OfAgreement<{ readonly signingId: string; readonly signOff: NewSignOff }>

export async function insertSignOffs(
  tx: Transaction,
  log: OpenLog,
  signOffs: readonly GivenSignOff[],
): Promise<readonly SignOff[]> {
  const { recordedAt: signedAt } = log
  const entries = signOffs.map(({ agreementId, signingId, signOff: { given, ...row } }) => ({
    subject: agreementId,
    facts: { ...row, ...given },
    beside: { signing_id: signingId },
  }))
  const appended = await appendEntries(tx, log, 'signature', entries)
  return signOffs.map(({ signOff }, i) => {
    const { seq, seal } = appended[i]!
    return { ...signOff, signedAt, storedAt: signedAt, seq, seal: seal! }
  })
}
