// What a signature stores: the receipts that were signed, the act of signing, and the sign-offs it gives. Of many agreements at
// once, each kind in one statement. Inside a publication; rows are added, never changed.
import { receiptContent, signatureContent } from '../log/content.ts'
import type { Publication } from '../log/publish.ts'
import type { RowSeals } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { insertRows } from '../postgres/many-rows.ts'
import { listHashOf, type OfPam, type SignedReceipt, type Signing, type SignOff } from './agreements.ts'

/** A receipt to keep, of one PAM. */
export type NewReceipt = OfPam<Omit<SignedReceipt, 'seq' | 'recordedAt' | 'seal'>>

/** Keeps receipts the first time they are signed or objected to; a second party signs the one that is there. */
export async function keepReceipts(
  tx: Transaction,
  publication: Publication,
  receipts: readonly NewReceipt[],
  seals: RowSeals,
): Promise<void> {
  const { scope, recordedAt } = publication
  const column = (key: 'pamId' | 'period' | 'receiptHash') => receipts.map(each => each[key])
  const stored = await tx<{ key: string }[]>`
    select r.pam_id || ' ' || r.period || ' ' || r.receipt_hash as key from signed_receipt r
    join unnest(${column('pamId')}::text[], ${column('period')}::text[], ${column('receiptHash')}::text[])
      as given (pam_id, period, receipt_hash) using (pam_id, period, receipt_hash)
    where r.workspace_id = ${scope}`
  const known = new Set(stored.map(({ key }) => key))
  const fresh = receipts.filter(({ pamId, period, receiptHash }) => !known.has(`${pamId} ${period} ${receiptHash}`))
  if (fresh.length === 0) return
  const entries = fresh.map(each => ({ subject: each.pamId, content: receiptContent(each) }))
  const seqs = await publication.appendMany('receipt', entries)
  await insertRows(
    tx,
    'signed_receipt',
    fresh.map(({ pamId, period, receiptHash, adjustmentDate, receipt, carried }, i) => ({
      ...{
        workspace_id: scope,
        pam_id: pamId,
        period,
        receipt_hash: receiptHash,
        adjustment_date: adjustmentDate,
        receipt,
      },
      ...{ carried: tx.json(carried as never), seq: seqs[i], recorded_at: recordedAt },
      seal: seals.seal({ kind: 'receipt', workspaceId: scope, pamId }, entries[i]!.content),
    })),
  )
}

/** The acts of signing whose sign-offs follow. Their ids. */
export async function insertSignings(
  tx: Transaction,
  { scope }: Publication,
  signings: readonly Signing[],
): Promise<readonly string[]> {
  const rows = signings.map(({ personId, name, fromAddress, means, together, passkey, origin }) => ({
    ...{ workspace_id: scope, id: makeIdentifier('sgn'), person_id: personId, name, from_address: fromAddress, means },
    ...{ periods: tx.json(together as never), passkey: passkey === null ? null : tx.json(passkey as never) },
    origin: origin === null ? null : tx.json(origin as never),
  }))
  await insertRows(tx, 'signing', rows)
  return rows.map(({ id }) => id)
}

export type NewSignOff = Omit<SignOff, 'seq' | 'signedAt' | 'storedAt' | 'seal'>

/** A sign-off of one PAM, with the act that it belongs to. */
export type GivenSignOff = OfPam<{ readonly signingId: string; readonly signOff: NewSignOff }>

export async function insertSignOffs(
  tx: Transaction,
  publication: Publication,
  signOffs: readonly GivenSignOff[],
  seals: RowSeals,
): Promise<readonly SignOff[]> {
  const { scope, recordedAt: signedAt } = publication
  const hashes = new Map<Signing, string>()
  const entries = signOffs.map(({ pamId, signOff: { given, ...row } }) => ({
    subject: pamId,
    content: signatureContent({ ...row, signedAt, ...given }, listHashOf(given, hashes)),
  }))
  const seqs = await publication.appendMany('signature', entries)
  const added = signOffs.map(({ pamId, signOff }, i) => ({
    ...signOff,
    ...{ signedAt, storedAt: signedAt, seq: seqs[i]! },
    seal: seals.seal({ kind: 'sign-off', workspaceId: scope, pamId }, entries[i]!.content),
  }))
  await insertRows(
    tx,
    'sign_off',
    added.map(({ period, receiptHash, party, adjustmentDate, signedBy, seq, seal }, i) => ({
      ...{ workspace_id: scope, pam_id: signOffs[i]!.pamId, period, receipt_hash: receiptHash, party },
      ...{ adjustment_date: adjustmentDate, signed_by: signedBy, signed_at: signedAt, seq },
      ...{ signing_id: signOffs[i]!.signingId, seal },
    })),
  )
  return added
}
