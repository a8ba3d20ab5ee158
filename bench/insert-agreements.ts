// Agreements by the hundred, as `agreement apply` would keep them, without looking at what is there: one by one, ten thousand of
// them would take an hour.

import { calculatingPart, type JsonObject } from '../src/core/formula/canonical.ts'
import { checkDocument } from '../src/core/formula/check/check.ts'
import { formatDay } from '../src/core/time/day.ts'
import type { OpenLog } from '../src/storage/log/append.ts'
import { appendEntries } from '../src/storage/log/entry-rows.ts'
import type { Transaction } from '../src/storage/postgres/database.ts'
import { makeIdentifier } from '../src/storage/postgres/identifier.ts'
import { insertRows } from '../src/storage/postgres/many-rows.ts'

/** Their ids, in the order of the documents. */
export async function insertAgreements(
  tx: Transaction,
  log: OpenLog,
  texts: readonly string[],
): Promise<readonly string[]> {
  const agreements = texts.map(agreementOf)
  const { scope, recordedAt } = log
  const rows = agreements.map(({ id, state: { slug } }) => {
    return { workspace_id: scope, id, slug, created_at: recordedAt }
  })
  await insertRows(tx, 'agreement', rows)
  const formulas = agreements.map(({ id, formula }) => ({ subject: id, facts: formula }))
  await appendEntries(tx, log, 'formula', formulas)
  const states = agreements.map(({ id, state }) => ({ subject: id, facts: state }))
  await appendEntries(tx, log, 'agreement', states)
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
      words: null,
      wordsFile: null,
      effectiveFrom: formatDay(effectiveFrom),
      createdBy: 'bench',
      proposal: null,
    },
    state: {
      slug,
      name,
      description,
      status,
      parties: { buyer: parties.buyer, supplier: parties.supplier },
      billing: { references, priceDate, prorate },
    },
  }
}
