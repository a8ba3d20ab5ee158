// Seals what was signed before stored rows had seals, as it stands: with the migration that brings the column, in its
// transaction, and never again. A row that is put in later without the secret stays without a seal.
import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { SignedReceipt, SignOff } from '../agreements/agreements.ts'
import type { RowSeals } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'

interface Placed {
  readonly workspaceId: string
  readonly pamId: string
}

export async function hasSignedRows(tx: Transaction): Promise<boolean> {
  await seeAll(tx)
  const [found] = await tx`select 1 from signed_receipt limit 1`
  return found !== undefined
}

/** For the owner's connection. A receipt whose text does not give its hash is left without a seal: it was changed before. */
export async function sealOldRows(tx: Transaction, seals: RowSeals): Promise<void> {
  await seeAll(tx)
  await tx`alter table signed_receipt disable trigger append_only`
  await tx`alter table sign_off disable trigger append_only`
  const receipts = tx<(SignedReceipt & Placed)[]>`
    select workspace_id as "workspaceId", pam_id as "pamId", period, receipt_hash as "receiptHash",
      adjustment_date as "adjustmentDate", receipt, carried, seq, recorded_at as "recordedAt"
    from signed_receipt`
  const made: (Placed & Pick<SignedReceipt, 'period' | 'receiptHash'> & { readonly seal: Buffer })[] = []
  for await (const page of RowCursor.piecesOf(tx, 'receipts', receipts, 100))
    for (const row of page) {
      const { workspaceId, pamId: agreementId, period, receiptHash, seq, recordedAt: at } = row
      if (!givesItsHash(row)) continue
      const seal = seals.seal('receipt', { scope: workspaceId, subject: agreementId }, row, { seq, at })
      made.push({ workspaceId, pamId: agreementId, period, receiptHash, seal })
    }
  for (const { workspaceId, pamId: agreementId, period, receiptHash, seal } of made)
    await tx`
      update signed_receipt set seal = ${seal} where workspace_id = ${workspaceId} and pam_id = ${agreementId}
        and period = ${period} and receipt_hash = ${receiptHash}`
  const signOffs = await tx<(SignOff & Placed)[]>`
    select workspace_id as "workspaceId", pam_id as "pamId", period, receipt_hash as "receiptHash", party,
      adjustment_date as "adjustmentDate", signed_by as "signedBy", signed_at as "signedAt", seq
    from sign_off`
  for (const row of signOffs) {
    const { workspaceId, pamId: agreementId, period, receiptHash, party, seq, signedAt: at } = row
    const seal = seals.seal('sign-off', { scope: workspaceId, subject: agreementId }, row, { seq, at })
    await tx`
      update sign_off set seal = ${seal} where workspace_id = ${workspaceId} and pam_id = ${agreementId}
        and period = ${period} and receipt_hash = ${receiptHash} and party = ${party}`
  }
  await tx`alter table signed_receipt enable trigger append_only`
  await tx`alter table sign_off enable trigger append_only`
}

async function seeAll(tx: Transaction): Promise<void> {
  await tx`select set_config('assize.workspace', '*', true)`
}

function givesItsHash({ receipt, receiptHash }: SignedReceipt): boolean {
  const { body } = JSON.parse(receipt) as { readonly body: Json }
  return createHash('sha256').update(canonicalJson(body)).digest('hex') === receiptHash
}
