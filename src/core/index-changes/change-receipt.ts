// A change of terms as it leaves the installation: the signed body, the document that takes effect, and signatures; and whether
// it can be trusted. It reads no file and makes no request.

import { checkDocument } from '../formula/check/check.ts'
import { type ListBody, listBody, listFormat } from '../prices/list-amendment.ts'
import { partySignature } from '../receipt/party-signature.ts'
import { receipt, seal } from '../receipt/receipt-schema.ts'
import { type Judge, judgeProposal, type ProposalVerdict } from '../receipt/verdict.ts'
import {
  anything,
  either,
  hexHash,
  listOf,
  mapping,
  orNull,
  readWhole,
  text,
  type Written,
} from '../text/exact-shape.ts'
import { sha256 } from '../text/sha256.ts'
import { readStrictJson } from '../text/strict-json.ts'
import { type AmendmentBody, amendmentBody, amendmentFormat } from './amendment.ts'
import { judgeSplice } from './judge-splice.ts'
import { type SpliceBody, spliceBody, spliceFormat } from './splice-schema.ts'

const changeReceipt = mapping('A change of terms with what was agreed.', {
  hash: hexHash('SHA-256 of the canonical JSON of the body'),
  body: either('What both parties sign', [spliceBody, amendmentBody, listBody], ({ format }) =>
    format === spliceFormat ? 0 : format === listFormat ? 2 : 1,
  ),
  document: orNull(
    text('As it was written'),
    'The document of an amendment, the rows of a price list as JSON; null for a splice, whose body has it',
  ),
  signatures: listOf(partySignature, 'Of the parties'),
  seal: orNull(seal, 'The installation’s'),
})

/** The mapping around a body; fields and signatures of the body are still unread. */
const envelope = mapping('A change of terms as it is sealed.', {
  ...changeReceipt.fields,
  body: receipt.fields.body,
  signatures: listOf(anything),
})

export type ChangeReceipt = Written<typeof changeReceipt>

export interface ChangeVerdict extends ProposalVerdict {
  readonly change: ChangeReceipt
  /** The text of the document that takes effect. */
  readonly document: string
}

const bounds = { length: 20_000_000, depth: 64 } as const

export function isSplice(body: ChangeReceipt['body']): body is SpliceBody {
  return body.format === spliceFormat
}

export function isList(body: ChangeReceipt['body']): body is ListBody {
  return body.format === listFormat
}

/** The formula version that a change alters; for a price list the governing one. */
export function basisOf(body: ChangeReceipt['body']): number {
  return isSplice(body) ? body.version : body.basis
}

/** Whether the format in a file (`formatOf`) is that of a change of terms. */
export function isChange(format: string | null): boolean {
  return format === spliceFormat || format === amendmentFormat || format === listFormat
}

/** Refuses a file that cannot be read at all, with the reason. */
export async function judgeChange(source: string, judge: Judge): Promise<ChangeVerdict> {
  const root = readStrictJson(source, 'the change', bounds)
  const file = readWhole(envelope, root, 'the change')
  const {
    proposal,
    differences: _problems,
    ...judged
  } = await judgeProposal(judge, file, {
    what: 'change',
    hasPlainLists: true,
    read: () => {
      readWhole(changeReceipt, root, 'the change')
      return root as unknown as ChangeReceipt
    },
    check: change => problemsOf(change, documentOf(change)),
  })
  return { change: proposal, document: documentOf(proposal), ...judged }
}

function documentOf({ body, document }: ChangeReceipt): string {
  return isSplice(body) ? body.document : (document ?? '')
}

function problemsOf({ body, document }: ChangeReceipt, whole: string): readonly string[] {
  if (isSplice(body)) return spliceProblems(body, document)
  return isList(body) ? listProblems(body, whole) : amendmentProblems(body, whole)
}

function listProblems({ listAfter }: ListBody, rows: string): readonly string[] {
  return sha256(rows) === listAfter ? [] : ['the rows are not those whose hash was signed']
}

function spliceProblems(body: SpliceBody, beside: string | null): readonly string[] {
  return [...judgeSplice(body), ...(beside === null ? [] : ['a splice has its document in its body alone'])]
}

function amendmentProblems({ documentAfter, pam: agreement }: AmendmentBody, document: string): readonly string[] {
  if (sha256(document) !== documentAfter) return ['the document is not the one whose hash was signed']
  const { formula, problems } = checkDocument(document)
  if (formula === null) return [`the document does not hold: ${problems[0]?.message ?? ''}`]
  return formula.slug === agreement ? [] : ['the document is of another agreement']
}
