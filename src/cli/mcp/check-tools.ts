// Tools that check: invoice lines against settled prices, by the server; and receipts, here and without it.

import { isChange, judgeChange } from '../../core/index-changes/change-receipt.ts'
import { formatOf } from '../../core/receipt/receipt-parser.ts'
import { type JudgedSignature, judgeReceipt, readKeyName } from '../../core/receipt/verdict.ts'
import { Refusal } from '../../core/refusal.ts'
import { isCorrection, judgeCorrection } from '../../core/true-up/correction-verdict.ts'
import { Type } from '../../formats/json-schema.ts'
import { ToolError } from './ask.ts'
import {
  agreementInput,
  agreementPath,
  bounds,
  bytesOf,
  type Call,
  cursorInput,
  fitting,
  formatPlace,
  nullable,
  optional,
  orNull,
  pick,
  readPlace,
  roomForRows,
  row,
  text,
  tool,
} from './tool.ts'

const written = (description: string) => optional(text(description))
const lineToCheck = row({
  invoice: text('Number of the invoice'),
  line: text('Number of the line'),
  supplier: written('Whose invoice numbers these are'),
  agreement: written('Slug or id; left out: found by contractRef or item'),
  contractRef: written('A reference of the contract'),
  item: written('Key of the item; left out: the only one there is'),
  quantity: written('A decimal; negative in a credit note'),
  unit: written('The unit'),
  unitPrice: written('A decimal; unit price or amount is needed'),
  per: written('How many of the unit the unit price is for'),
  amount: written('A decimal'),
  currency: written('Three capital letters'),
  date: written('Day of the invoice, YYYY-MM-DD'),
  serviceFrom: written('First day of the service'),
  serviceTo: written('Last day of the service'),
  orderDate: written('Day of the order'),
})
const reason = row({ code: Type.String(), sentence: Type.String() })
const checkedLine = row({
  invoice: nullable('Number of the invoice'),
  line: nullable('Number of the line'),
  outcome: Type.String(),
  agreement: nullable('The slug'),
  item: nullable('Key of the item'),
  period: nullable('In force on its day'),
  status: nullable('Who has signed the number behind the price'),
  price: nullable('The price it should have'),
  billedPrice: nullable('The billed price'),
  amount: nullable('The amount it should have'),
  billedAmount: nullable('The billed amount'),
  difference: nullable('Billed less ours'),
  currency: nullable('Of all of them'),
  reason: orNull(reason, 'The first mistake that explains the billed price'),
  message: nullable('What could not be checked, or contradicts itself'),
})
const sums = Type.Record(Type.String(), Type.String())
const summary = row({
  lines: Type.Integer(),
  outcomes: Type.Record(Type.String(), Type.Integer()),
  over: sums,
  under: sums,
})

const checkInvoiceLines = tool({
  name: 'check_invoice_lines',
  title: 'Check invoice lines',
  description:
    'Compares billed lines with the settled prices: outcome, difference and the mistake that explains it. Nothing is stored. Numbers are decimals in text. The key must be one that reads money.',
  input: {
    lines: Type.Array(lineToCheck, { minItems: 1, maxItems: bounds.rows }),
    cursor: cursorInput,
  },
  output: row({ summary, lines: Type.Array(checkedLine) }),
  async run({ lines, cursor }, call) {
    const asked = { body: { lines }, needsMoney: true }
    const { data, summary: found } = JSON.parse((await call.ask('/ext/v1/check', asked)).text) as Checked
    const from = readPlace(cursor, '')
    const left = data.slice(from).map(each => pick(checkedLine, each))
    const shown = left.slice(0, fitting(left, roomForRows - bytesOf(found)))
    const next = shown.length < left.length ? formatPlace(from + shown.length, '') : null
    return { data: { summary: pick(summary, found), lines: shown }, cursor: next }
  },
})

interface Checked {
  readonly data: readonly object[]
  readonly summary: object
}

const signature = row({
  party: Type.String(),
  signedBy: Type.String(),
  signedAt: Type.String(),
  means: Type.String({ description: 'PASSKEY and PROVIDER are checked here; the others are the word of the server' }),
  valid: Type.Boolean(),
  whose: Type.String(),
})
const verdictRow = row({
  verdict: Type.Enum(['SAME', 'DIFFERENT'], {
    description: 'SAME: it recomputes to what it says, its seal is valid, and so is every signature on it',
  }),
  kind: Type.Enum(['ADJUSTMENT', 'CORRECTION', 'CHANGE_OF_TERMS']),
  agreement: Type.String({ description: 'The slug' }),
  period: nullable('Of an adjustment'),
  hash: Type.String(),
  recomputes: Type.Boolean(),
  seal: Type.String(),
  sealKey: nullable('The key that it names'),
  keyTrust: Type.String({ description: 'trusted, other, or not-compared where no trustedKey was given' }),
  signatures: Type.Array(signature),
  problems: Type.Array(Type.String(), { description: 'The first ten' }),
})

const verifyReceipt = tool({
  name: 'verify_receipt',
  title: 'Verify a receipt',
  description:
    'Computes a receipt again from the figures in it, without the server, and checks its seal and signatures. Give a receipt as text, or name an agreement and a period to check the one that the server issues now.',
  input: {
    receipt: optional(Type.String({ minLength: 2, maxLength: 5_000_000, description: 'The JSON of a receipt' })),
    agreement: optional(agreementInput),
    period: optional(text('The label of a period')),
    trustedKey: optional(text('The key of the installation, ed25519:…, from elsewhere than the receipt')),
  },
  output: verdictRow,
  async run({ receipt, agreement, period, trustedKey }, call) {
    const key = trustedKey === undefined ? null : readKeyName(trustedKey)
    if (trustedKey !== undefined && key === null)
      throw new ToolError('trustedKey must be ed25519: and 43 characters of a public key.')
    const source = receipt ?? (await fetchReceipt(call, agreement, period))
    try {
      return { data: await judge(source, key === null ? null : [key]), cursor: null }
    } catch (error) {
      if (error instanceof Refusal) throw new ToolError('This cannot be read as a receipt.', error.message)
      throw error
    }
  },
})

async function fetchReceipt(call: Call, agreement: string | undefined, period: string | undefined): Promise<string> {
  if (agreement === undefined) throw new ToolError('Give a receipt, or the agreement whose receipt is to be verified.')
  const path = `/v1${agreementPath(agreement, '/adjustment/receipt')}`
  return (await call.ask(path, { query: { period } })).text
}

async function judge(source: string, trustedKeys: readonly string[] | null) {
  const by = { subtle: globalThis.crypto.subtle, trustedKeys }
  const format = formatOf(source)
  if (isCorrection(format)) {
    const { correction, follows, ...judged } = await judgeCorrection(source, by)
    return present('CORRECTION', correction, { ...judged, recomputes: follows, period: null })
  }
  if (isChange(format)) {
    const { change, ...judged } = await judgeChange(source, by)
    return present('CHANGE_OF_TERMS', change, { ...judged, recomputes: judged.bodyHash === change.hash, period: null })
  }
  const { receipt, difference, isHashSame, ...judged } = await judgeReceipt(source, by)
  const recomputes = difference === null && isHashSame
  return present('ADJUSTMENT', receipt, { ...judged, recomputes, period: receipt.body.period })
}

interface ReceiptCheck {
  readonly recomputes: boolean
  readonly period: string | null
  readonly seal: string
  readonly trust: string
  readonly signatures: readonly JudgedSignature[]
  readonly problems: readonly string[]
}

interface Sealed {
  readonly hash: string
  readonly body: { readonly pam: string }
  readonly seal: { readonly publicKey: string } | null
}

function present(
  kind: 'ADJUSTMENT' | 'CORRECTION' | 'CHANGE_OF_TERMS',
  { hash, body, seal: by }: Sealed,
  { recomputes, period, seal, trust, signatures, problems }: ReceiptCheck,
) {
  return pick(verdictRow, {
    verdict: problems.length === 0 ? 'SAME' : 'DIFFERENT',
    kind,
    agreement: body.pam,
    period,
    hash,
    recomputes,
    seal,
    sealKey: by === null ? null : `ed25519:${by.publicKey}`,
    keyTrust: trust,
    signatures: signatures.map(({ signature: { party, signedBy, signedAt, means }, whose, problem }) => ({
      party,
      signedBy,
      signedAt,
      means,
      whose,
      valid: problem === null,
    })),
    problems,
  })
}

export const checkTools = [checkInvoiceLines, verifyReceipt]
