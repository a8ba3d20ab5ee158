// Entries about corrections: proposals, their signatures and refusals, and the notes by which agreed amounts were billed.
import { type BillingSaid, nothingSaid } from '../../core/billing/note-details.ts'
import { canonicalJson } from '../../core/text/canonical-json.ts'
import { actColumns, actContent, actJoin, statementColumns, statementContent } from './agreement-kinds.ts'
import { hashText } from './content.ts'
import { column, entryKind, json, number, sealedAs, sql, text, textOrNull, truth } from './entry-kind.ts'

const ofCorrection = 'join correction c on c.workspace_id = r.workspace_id and c.id = r.correction_id'

export const correctionKinds = {
  correction: entryKind({
    about: 'agreement',
    names: true,
    table: 'correction',
    subject: 'agreement_id',
    columns: {
      id: text,
      /** Hash of the body. */
      hash: text,
      /** Hash of the receipts of its restated periods. */
      receiptsHash: text,
      periods: column<readonly string[]>('periods'),
      lineIds: json<readonly (string | null)[]>(),
      waived: truth,
      waives: textOrNull,
      proposedBy: text,
    },
    beside: ['body', 'receipts'],
    // The condition holds the two hashes to the texts themselves.
    where: `r.hash = encode(sha256(convert_to(r.body, 'UTF8')), 'hex')
      and r.receipts_hash = encode(sha256(convert_to(r.receipts, 'UTF8')), 'hex')`,
    content: ({ id, hash, receiptsHash, periods, lineIds, waived, waives, proposedBy }) => {
      const lines = hashText(canonicalJson([...lineIds]))
      return { id, hash, receipts: receiptsHash, periods: [...periods], lines, waived, waives, proposedBy }
    },
    seal: sealedAs('correction'),
    stale: {},
    // A correction is a `waiver` where it waives the money; so are its signatures and its refusal.
    feed: { as: ['correction', 'waiver'], correction: 'r.id' },
  }),
  'correction-signature': entryKind({
    about: 'agreement',
    names: true,
    table: 'correction_signature',
    at: 'signed_at',
    subject: sql('c.agreement_id'),
    columns: { ...actColumns, correctionId: text, hash: sql<string>('c.hash'), party: text, signedBy: text },
    beside: ['signing_id'],
    join: `${ofCorrection} ${actJoin}`,
    content: ({ correctionId, hash, party, signedBy, ...act }, signedAt) => {
      return { correction: correctionId, hash, party, signedBy, signedAt, ...actContent(act) }
    },
    seal: sealedAs('correction-signature'),
    stale: {},
    feed: { as: ['correction', 'waiver'], correction: 'r.correction_id' },
  }),
  'correction-refusal': entryKind({
    about: 'agreement',
    names: true,
    table: 'correction_refusal',
    subject: sql('c.agreement_id'),
    columns: { ...statementColumns, correctionId: text, reason: text },
    join: ofCorrection,
    content: ({ correctionId, reason, ...speaker }, at) => {
      return { ...statementContent(speaker, at), correction: correctionId, reason }
    },
    seal: sealedAs('correction-refusal'),
    stale: {},
    feed: { as: ['correction', 'waiver'], correction: 'r.correction_id' },
  }),
  'correction-note': entryKind({
    about: 'agreement',
    names: true,
    table: 'correction_note',
    subject: sql('c.agreement_id'),
    columns: {
      correctionId: text,
      part: number,
      number: text,
      date: text,
      amount: text,
      fileHash: text,
      issuedBy: text,
      said: json<BillingSaid | null>(),
    },
    join: ofCorrection,
    content: ({ correctionId, part, number, date, amount, fileHash, issuedBy, said }) => {
      const { supplier, buyer, document } = said ?? nothingSaid
      const about = said === null ? {} : { said: { supplier, buyer, document } }
      return { correction: correctionId, part, number, date, amount, file: fileHash, issuedBy, ...about }
    },
    seal: sealedAs('correction-note'),
    stale: {},
    feed: { as: ['note'], correction: 'r.correction_id' },
  }),
}
