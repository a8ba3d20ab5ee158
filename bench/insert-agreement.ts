import { writeDay } from '../src/core/day.ts'
import { calculatingPart, type JsonObject } from '../src/core/formula/canonical.ts'
import { checkDocument } from '../src/core/formula/check.ts'
import type { Transaction } from '../src/storage/database.ts'
import { insertFormula, insertPam, insertPamState } from '../src/storage/pams.ts'
import type { Publication } from '../src/storage/publish.ts'

/**
 * As `pam apply` would, without checking what exists: for ten thousand agreements that would take an hour. Returns its
 * id.
 */
export async function insertAgreement(tx: Transaction, publication: Publication, text: string): Promise<string> {
  const { formula, document } = checkDocument(text)
  const id = await insertPam(tx, publication, formula!.slug)
  await insertFormula(tx, publication, id, {
    version: 1,
    document: calculatingPart(document as JsonObject),
    documentText: text,
    effectiveFrom: writeDay(formula!.effectiveFrom),
    createdBy: 'bench',
  })
  await insertPamState(tx, publication, { id, slug: formula!.slug }, formula!)
  return id
}
