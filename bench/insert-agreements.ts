// Agreements by the hundred, as `pam apply` would keep them, without looking at what is there: one by one, ten thousand of
// them would take an hour.

import { calculatingPart, type JsonObject } from '../src/core/formula/canonical.ts'
import { checkDocument } from '../src/core/formula/check/check.ts'
import type { Json } from '../src/core/text/canonical-json.ts'
import { writeDay } from '../src/core/time/day.ts'
import { formulaContent, hashContent, pamContent } from '../src/storage/log/content.ts'
import { appendAll, type Publication, type PublicationKind } from '../src/storage/log/publish.ts'
import type { Transaction } from '../src/storage/postgres/database.ts'
import { makeIdentifier } from '../src/storage/postgres/identifier.ts'

/** Their ids, in the order of the documents. */
export async function insertAgreements(
  tx: Transaction,
  { scope, recordedAt }: Publication,
  texts: readonly string[],
): Promise<readonly string[]> {
  const agreements = texts.map(agreementOf)
  const append = (kind: PublicationKind, contents: readonly Json[]) =>
    appendAll(
      tx,
      kind,
      agreements.map(({ id }) => id),
      contents.map(hashContent),
    )
  const formulaSeqs = await append(
    'formula',
    agreements.map(({ formula }) => formulaContent(formula)),
  )
  const stateSeqs = await append(
    'pam',
    agreements.map(({ state }) => pamContent(state)),
  )
  const rows = agreements.map(({ id, formula, state }, i) => ({
    ...{ id, formula_seq: formulaSeqs[i]!, state_seq: stateSeqs[i]! },
    ...{ document: formula.document, text: formula.documentText, effective_from: formula.effectiveFrom },
    ...{ slug: state.slug, name: state.name, description: state.description, status: state.status },
    ...{ parties: state.parties, billing: state.billing },
  }))
  const given = tx`jsonb_to_recordset(${tx.json(rows as never)}) as r (id text, formula_seq bigint, state_seq bigint,
    document jsonb, text text, effective_from date, slug text, name text, description text, status text, parties jsonb,
    billing jsonb)`
  await tx`insert into pam (workspace_id, id, slug, created_at) select ${scope}, id, slug, ${recordedAt} from ${given}`
  await tx`
    insert into formula (workspace_id, pam_id, version, seq, document, document_text, effective_from, created_by, recorded_at)
    select ${scope}, id, 1, formula_seq, document, text, effective_from, 'bench', ${recordedAt} from ${given}`
  await tx`
    insert into pam_state (workspace_id, pam_id, seq, name, description, status, parties, billing, recorded_at)
    select ${scope}, id, state_seq, name, description, status, parties, billing, ${recordedAt} from ${given}`
  return agreements.map(({ id }) => id)
}

function agreementOf(text: string) {
  const { formula, document } = checkDocument(text)
  const { slug, name, description, status, parties, billing, effectiveFrom } = formula!
  const { references, priceDate, prorate } = billing
  return {
    id: makeIdentifier('pam'),
    formula: {
      version: 1,
      document: calculatingPart(document as JsonObject),
      documentText: text,
      effectiveFrom: writeDay(effectiveFrom),
      createdBy: 'bench',
    },
    state: {
      ...{ slug, name, description, status },
      parties: { buyer: parties.buyer, supplier: parties.supplier },
      billing: { references, priceDate, prorate },
    },
  }
}
