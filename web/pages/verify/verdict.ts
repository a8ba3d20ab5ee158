// Verdict on a receipt in the browser, in words: the recomputation, the keys, the signatures, and the claims that depend on
// trusting the operator of the installation. Nothing is sent anywhere.

import { formatCarried, parseExact } from '../../../src/core/numbers/ratio.ts'
import { formatSigner } from '../../../src/core/receipt/party-signature.ts'
import type { WrittenParties } from '../../../src/core/receipt/receipt.ts'
import { decodeReceipt, formatOf } from '../../../src/core/receipt/receipt-parser.ts'
import type { CompilerView, Difference } from '../../../src/core/receipt/replay.ts'
import {
  formatTrust,
  type JudgedSignature,
  judgeReceipt,
  type PublishedKeys,
  type Verdict,
} from '../../../src/core/receipt/verdict.ts'
import { cutDecimals } from '../../../src/core/text/words.ts'
import { type CorrectionVerdict, isCorrection, judgeCorrection } from '../../../src/core/true-up/correction-verdict.ts'
import type { CheckedPackage } from '../../../src/formats/evidence/check.ts'
import { checkPackageFile } from '../../../src/formats/evidence/package-file.ts'
import { isZip } from '../../../src/formats/evidence/zip-directory.ts'
import { formatInstant } from '../../components/words/words.ts'

/** Verdict on a period's receipt, on a correction's, or on an evidence package. */
export type AnyVerdict =
  | { readonly of: 'period'; readonly verdict: Verdict }
  | { readonly of: 'correction'; readonly verdict: CorrectionVerdict }
  | { readonly of: 'package'; readonly checked: CheckedPackage }

/** Nobody names a trusted key here: whether it is this installation's is shown beside the verdict. */
export async function judgeFile(bytes: Uint8Array<ArrayBuffer>): Promise<AnyVerdict> {
  // `subtle` does not exist on pages that are not served securely.
  const judge = { subtle: globalThis.crypto?.subtle, trustedKeys: null }
  if (isZip(bytes)) return { of: 'package', checked: await checkPackageFile(bytes, judge) }
  const source = decodeReceipt(bytes)
  if (isCorrection(formatOf(source))) return { of: 'correction', verdict: await judgeCorrection(source, judge) }
  return { of: 'period', verdict: await judgeReceipt(source, judge) }
}

/** `same`: it recomputes and its seal is good. `unproven`: it recomputes, and something else is missing or wrong. */
export type Outcome = 'same' | 'different' | 'unproven'

export function outcomeOf({ difference, isHashSame, problems }: Verdict): Outcome {
  if (difference !== null || !isHashSame) return 'different'
  return problems.length === 0 ? 'same' : 'unproven'
}

/** One of the four answers; `open` means that the reader has to decide. */
export interface VerdictWords {
  readonly label: string
  readonly tone: 'good' | 'bad' | 'open'
  readonly words: readonly string[]
}

/** `own`: the keys of this installation; null if they could not be fetched. */
export function formatVerdict(verdict: Verdict, own: PublishedKeys | null): VerdictWords[] {
  return [
    formatRecomputes(verdict),
    formatKey(verdict, own),
    formatSignatures(verdict, verdict.receipt.body.parties),
    formatWord(verdict),
  ]
}

function formatRecomputes({ difference, isHashSame, compiler, edition }: Verdict): VerdictWords {
  const label = 'Recomputes'
  if (difference !== null || !isHashSame) return { label, tone: 'bad', words: ['No.'] }
  const words = [`Yes, every line, by edition ${edition} of the rules.`]
  return { label, tone: 'good', words: compiler === null ? words : [...words, compilerWords(compiler)] }
}

function compilerWords({ writesSameSteps, givesSameNumber }: CompilerView): string {
  if (writesSameSteps) return 'Today’s compiler writes the same steps.'
  const changed = 'Today’s compiler writes other steps: the wording changed'
  if (givesSameNumber === null) return `${changed}; they cannot be computed from the values carried in.`
  return `${changed}; the number ${givesSameNumber ? 'is the same' : 'differs'}.`
}

/** Parts that a verdict on a seal needs, whatever is sealed. */
interface Sealed extends Pick<Verdict, 'seal'> {
  readonly receipt: Pick<Verdict['receipt'], 'seal'>
}

export function formatKey({ receipt, seal }: Sealed, own: PublishedKeys | null): VerdictWords {
  const label = 'Key'
  if (receipt.seal === null) return { label, tone: 'bad', words: ['None: the receipt carries no seal.'] }
  const key = `ed25519:${receipt.seal.publicKey}`
  if (seal === 'bad') return { label, tone: 'bad', words: [`The seal does not match this receipt under ${key}.`] }
  if (seal === 'unchecked')
    return { label, tone: 'bad', words: ['This browser cannot check Ed25519 signatures; the command line can.'] }
  if (own === null) return { label, tone: 'open', words: [`${key}. It was not compared with a key that you trust.`] }
  const isOwn = own.keys.some(each => each.publicKey === receipt.seal!.publicKey)
  if (!isOwn)
    return { label, tone: 'open', words: [`${key}, which is not the key of the installation whose page this is.`] }
  const name = own.installation.name === null ? '' : ` (${own.installation.name})`
  return { label, tone: 'good', words: [`This installation’s, ${own.installation.id}${name}.`, key] }
}

/** A good signature is a key's; the owner of the key depends on who let the signer in, which the reader has to judge. */
export function formatSignatures({ signatures }: Pick<Verdict, 'signatures'>, parties: WrittenParties): VerdictWords {
  const label = 'Signatures'
  if (signatures.length === 0) return { label, tone: 'open', words: ['No party has signed the receipt.'] }
  const isBad = signatures.some(({ problem }) => problem !== null)
  return { label, tone: isBad ? 'bad' : 'open', words: signatures.flatMap(each => signatureWords(each, parties)) }
}

const whoseWords = {
  'registered-key': 'with a passkey, checked here',
  'providers-token':
    'by the identity provider of their company; its token is checked here, its key is compared with none',
  'operators-word': 'recorded by the server that issued it',
  'made-by-operator': 'made by the operator, in the person’s name',
} as const

function signatureWords({ signature, whose, problem }: JudgedSignature, parties: WrittenParties): string[] {
  const { party, signedBy, name, signedAt, redacted } = signature
  const person = name === '' || redacted !== undefined ? signedBy : `${name} (${signedBy})`
  const how =
    whose === 'nobodys'
      ? `it does not hold: ${problem}`
      : signature.means === 'PASSWORD'
        ? `signed with a password, ${whoseWords[whose]}`
        : whoseWords[whose]
  // An invalid signature's facts about its signer are nobody's word.
  const told = whose === 'nobodys' ? [] : formatSigner(signature, parties)
  return [
    `For the ${party} by ${person}, ${formatInstant(signedAt)}: ${how}.`,
    ...told.map(each => `${each[0]!.toUpperCase()}${each.slice(1)}.`),
  ]
}

function formatWord(verdict: Verdict): VerdictWords {
  const words = formatTrust(verdict).map(each => `${each[0]!.toUpperCase()}${each.slice(1)}.`)
  return { label: 'On the operator’s word', tone: 'open', words: words.length === 0 ? ['Nothing.'] : words }
}

/** Enough decimals to see where two fractions differ. */
const readDecimals = 14

/** Fractions as readable decimals; everything else as it is. */
function readableFigure(figure: string): string {
  const number = figure.includes('/') ? parseExact(figure) : null
  return number === null ? figure : cutDecimals(formatCarried(number), readDecimals)
}

/** Two numbers so that they can be told apart: in full if the shortened ones look the same. */
export function formatApart({ written, recomputed }: Difference): [written: string, recomputed: string] {
  const [a, b] = [readableFigure(written), readableFigure(recomputed)]
  return a === b ? [written, recomputed] : [a, b]
}

const lineNames: Readonly<Record<string, string>> = {
  adjustmentPct: 'the adjustment, %',
  cumulativePct: 'the adjustment since the start, %',
  price: 'the price',
  factor: 'the price factor',
  dataVersion: 'the tag of its figures',
  components: 'the contributions',
  controls: 'the controls',
  observations: 'the figures',
}

/** Place of the difference, in words: `line ratio_steel`, `the price`. */
export function formatLine(line: string): string {
  return lineNames[line] ?? line.replace(/^step /, 'line ')
}
