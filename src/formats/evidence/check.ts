// Checks an evidence package from its files alone: nothing missing, nothing added, every byte as it was sealed; every receipt
// computed again, and the pages and tables made again from the receipts. It makes no requests and sends nothing.

import type { TrustedIssuers } from '../../core/identity/issuer-trust.ts'
import type { SignatureCheck } from '../../core/identity/signature-check.ts'
import { formatTrust, type Judge, judgeReceipt, trustOf, type Verdict } from '../../core/receipt/verdict.ts'
import { bytesOfBase64url } from '../../core/text/base64url.ts'
import { countedAs } from '../../core/text/counts.ts'
import { sha256 } from '../../core/text/sha256.ts'
import { readStrictJson } from '../../core/text/strict-json.ts'
import { formatCorrectionTrust } from '../../core/true-up/correction-verdict.ts'
import { chainContents, checkChain, checkCompanies, readChainOf } from './check-chain.ts'
import { type CheckedCorrection, correctionForm, isCorrectionOf } from './check-corrections.ts'
import { checkLog, compareKept, type RecordedNote } from './check-log.ts'
import { type Contents, checkProposals, proposalChainProblems, whyRefused } from './check-proposals.ts'
import {
  type CheckedChange,
  changeForm,
  formatChangeTrust,
  isChangeOf,
  lastDateOf,
  versionProblems,
} from './check-terms-changes.ts'
import type { CheckedPart } from './checked-part.ts'
import { correctionsPath, correctionsTable, correctionsTablePath } from './corrections.ts'
import { logPath, seqOfSlip } from './log-file.ts'
import { provenWords } from './log-words.ts'
import {
  activityPath,
  belongingProblems,
  chainPath,
  copyPath,
  type EvidenceFiles,
  evidenceFormat,
  formatCopy,
  hashOfManifest,
  type Manifest,
  manifestPath,
  peoplePath,
  printedPath,
  readMePath,
  sealedText,
  tablePaths,
  verifierPath,
  verifyPath,
} from './manifest.ts'
import { printedPage } from './printed-page.ts'
import {
  type NamedCorrection,
  type SettledPeriod,
  settledPath,
  settledPeriods,
  settledTable,
} from './settled-periods.ts'
import { type NamedReceipt, objectionsTable, signOffsTable, vintagesTable } from './tables.ts'
import { changesPath, changesTable, changesTablePath } from './terms-changes.ts'
import { checkWords, wordsPath } from './words-file.ts'

export interface CheckedReceipt {
  readonly name: string
  readonly verdict: Verdict | null
  readonly problems: readonly string[]
}

export interface CheckedPackage {
  readonly manifest: Manifest | null
  readonly parts: readonly CheckedPart[]
  readonly receipts: readonly CheckedReceipt[]
  readonly corrections: readonly CheckedCorrection[]
  readonly changes: readonly CheckedChange[]
  /** The settled numbers by date; empty where the package lacks its list of corrections. */
  readonly settled: readonly SettledPeriod[]
  readonly operatorsWord: readonly string[]
  /** The log's proofs in sentences; empty where the package has no log. */
  readonly proven: readonly string[]
  /** Time stamps over their checkpoints, each with the command of OpenSSL that checks its maker. */
  readonly leftToOpenSsl: readonly string[]
  /** Whether everything in the package could be checked. */
  readonly isChecked: boolean
  readonly isGood: boolean
}

const bounds = { length: 100_000_000, depth: 64, values: 4_000_000 }

export interface PackageSurroundings {
  /** The copy for the page, if it can be compared. */
  readonly copy?: string | null
  /** Files that are not text. */
  readonly unreadable?: readonly string[]
  /** Base64url public keys; null where nobody named one. */
  readonly trustedKeys?: readonly string[] | null
  /** Keys of identity providers; null where nobody named any. */
  readonly trustedIssuers?: TrustedIssuers | null
  /** Slips and checkpoints that the reader kept; null where none was named. */
  readonly kept?: readonly RecordedNote[] | null
}

/** `files` are all files except the copy for the page. */
export async function checkPackage(
  files: EvidenceFiles,
  subtle: SignatureCheck | undefined,
  surroundings: PackageSurroundings = {},
): Promise<CheckedPackage> {
  const { copy = null, unreadable = [], trustedKeys = null, trustedIssuers = null, kept = null } = surroundings
  const manifest = readManifest(files.get(manifestPath) ?? '')
  const judge = { subtle, trustedKeys: manifest === null ? null : [manifest.seal.publicKey], trustedIssuers }
  const receipts = await checkReceipts(files, judge, manifest)
  const corrections = await checkProposals(correctionForm, files, judge, manifest)
  const named = receipts.flatMap(({ name, verdict }): NamedReceipt[] => {
    return verdict === null ? [] : [{ name, receipt: verdict.receipt }]
  })
  const judged = corrections.flatMap(({ id, verdict }): NamedCorrection[] =>
    verdict === null ? [] : [{ id, correction: verdict.correction }],
  )
  const changes = (await checkProposals(changeForm, files, judge, manifest)).map(each => ({
    ...each,
    problems: [...each.problems, ...versionProblems(files, named, each)],
  }))
  const periods = new Set(named.map(({ receipt }) => receipt.body.period))
  const ofTerms = (from: Contents) => isChangeOf(from, lastDateOf(named))
  const settled = files.has(correctionsPath) ? settledPeriods(named, judged) : []
  const log = await checkLog(files, subtle, readChainOf(files))
  const compared = log === null || kept === null ? null : compareKept(log, kept)
  const words = checkWords(files, { receipts: named, changes, contents: chainContents(files) })
  const parts = [
    await checkManifest(manifest, files, subtle, trustedKeys),
    checkFiles(manifest, files, unreadable, copy),
    receiptsPart(receipts),
    correctionsPart(files, corrections),
    changesPart(files, changes),
    ...(words === null ? [] : [words]),
    ...(files.has(chainPath)
      ? [
          checkChain(files, named, of => [
            ...proposalChainProblems(correctionForm, of, corrections, isCorrectionOf(periods)),
            ...proposalChainProblems(changeForm, of, changes, ofTerms(of)),
          ]),
        ]
      : []),
    ...checkCompanies(files, [
      ...named.flatMap(({ receipt }) => receipt.signatures),
      ...corrections.flatMap(({ verdict }) => verdict?.correction.signatures ?? []),
      ...changes.flatMap(({ verdict }) => verdict?.change.signatures ?? []),
    ]),
  ]
  parts.push(...(log === null ? [] : [log.part]), ...(compared?.part == null ? [] : [compared.part]))
  // Last, what this program alone does.
  parts.push(checkTables(files, named, { corrections, changes }, settled), checkPages(files, named, settled))
  const isGood = parts.every(({ problems }) => problems.length === 0)
  const isChecked = subtle !== undefined && manifest?.body.files.every(({ path }) => isKnownPath(path)) === true
  const operatorsWord = formatWord(files, receipts, corrections, changes)
  const things = [
    ...named.map(({ name, receipt: { signatures } }) => ({ name, signatures })),
    ...judged.map(({ id, correction: { signatures } }) => ({ name: id, signatures })),
    ...changes.map(({ id, verdict }) => ({ name: id, signatures: verdict?.change.signatures ?? [] })),
  ]
  const proven = provenWords(log, things, compared)
  const leftToOpenSsl = log?.leftToOpenSsl ?? []
  const checked = { manifest, parts, receipts, corrections, changes, settled, operatorsWord, proven, leftToOpenSsl }
  return { ...checked, isChecked, isGood }
}

/** All that rests on the operator's word, each sentence once. */
function formatWord(
  files: EvidenceFiles,
  receipts: readonly CheckedReceipt[],
  corrections: readonly CheckedCorrection[],
  changes: readonly CheckedChange[],
): readonly string[] {
  const told = [
    ...receipts.flatMap(({ verdict }) => (verdict === null ? [] : formatTrust(verdict))),
    ...corrections.flatMap(({ verdict }) => (verdict === null ? [] : formatCorrectionTrust(verdict))),
    ...formatChangeTrust(changes),
    'that nothing about these periods was left out',
  ]
  if (corrections.length > 0)
    told.push('that the invoice lines under corrections, and their notes, are as the installation recorded them')
  if (files.has(activityPath)) told.push(`that ${activityPath} says what was done`)
  if (files.has(peoplePath)) told.push(`that ${peoplePath} says what was done about the people of the companies`)
  if (files.has(chainPath) && !files.has(logPath))
    told.push(
      'that the publications of the chain were recorded as they stand there: the package has nothing of the log',
    )
  return [...new Set(told)]
}

/** The manifest; null for any other text. */
export function readManifest(text: string): Manifest | null {
  try {
    const read = readStrictJson(text, 'the manifest', bounds) as unknown as Manifest
    return isManifest(read) ? read : null
  } catch {
    return null
  }
}

/** Checks all fields in use; a missing key throws, which is an answer too. */
function isManifest({ body, hash, seal }: Manifest): boolean {
  const { format, installation, workspace, agreement, from, to, madeAt, madeBy, files } = body
  const texts = [
    hash,
    seal.publicKey,
    seal.value,
    installation.id,
    workspace.slug,
    workspace.name,
    agreement.slug,
    agreement.name,
    from,
    to,
    madeAt,
    madeBy,
    ...files.flatMap(({ path, sha256: digest }) => [path, digest]),
  ]
  const isNamed = installation.name === null || typeof installation.name === 'string'
  const paths = new Set(files.map(({ path }) => path))
  return (
    format === evidenceFormat && isNamed && texts.every(each => typeof each === 'string') && paths.size === files.length
  )
}

async function checkManifest(
  manifest: Manifest | null,
  files: EvidenceFiles,
  subtle: SignatureCheck | undefined,
  trustedKeys: readonly string[] | null,
): Promise<CheckedPart> {
  const title = 'The list of files'
  if (manifest === null)
    return {
      title,
      words: 'It cannot be read.',
      problems: [`${manifestPath} is missing or is not one of an evidence package`],
    }
  const { body, hash, seal } = manifest
  const problems: string[] = []
  if (files.get(manifestPath) !== formatManifest(manifest))
    problems.push(`${manifestPath} is not written as it was made`)
  if (hashOfManifest(body) !== hash) problems.push('its hash is not of what it says')
  const [key, value] = [bytesOfBase64url(seal.publicKey), bytesOfBase64url(seal.value)]
  if (subtle === undefined) problems.push('this browser cannot check Ed25519 signatures')
  else if (key?.length !== 32 || value?.length !== 64) problems.push('its seal is none')
  else {
    const isSealed = await subtle
      .importKey('raw', key, { name: 'Ed25519' }, false, ['verify'])
      .then(imported => subtle.verify({ name: 'Ed25519' }, imported, value, new TextEncoder().encode(sealedText(hash))))
      .catch(() => false)
    if (!isSealed) problems.push('its seal is not one of this list')
  }
  if (trustOf(seal, trustedKeys) === 'other')
    problems.push(`it is sealed by ed25519:${seal.publicKey}, which is not a key that you trust`)
  return { title, words: `Sealed by the key ed25519:${seal.publicKey}.`, problems }
}

export function formatManifest({ body, hash, seal }: Manifest): string {
  return `${JSON.stringify({ body, hash, seal }, null, 2)}\n`
}

function checkFiles(
  manifest: Manifest | null,
  files: EvidenceFiles,
  unreadable: readonly string[],
  copy: string | null,
): CheckedPart {
  const listed = new Map(manifest?.body.files.map(({ path, sha256: hash }) => [path, hash]))
  const problems = [...listed].flatMap(([path, hash]) => {
    const text = files.get(path)
    if (text === undefined) return [`${path} is missing${unreadable.includes(path) ? ' or damaged' : ''}`]
    return sha256(text) === hash ? [] : [`${path} was changed`]
  })
  const unknown = [...listed.keys()].filter(path => !isKnownPath(path))
  problems.push(...unknown.map(path => `${path} is something that this program does not know, and was not checked`))
  const added = [...files.keys(), ...unreadable].filter(path => path !== manifestPath && !listed.has(path))
  problems.push(...added.map(path => `${path} does not belong to it`))
  if (copy !== null && copy !== formatCopy(files)) problems.push(`${copyPath} is not a copy of the files`)
  return {
    title: 'Every file as it was sealed',
    words: `${countedAs(listed.size, 'file', 'files')} compared.`,
    problems,
  }
}

async function checkReceipts(
  files: EvidenceFiles,
  judge: Judge,
  manifest: Manifest | null,
): Promise<readonly CheckedReceipt[]> {
  const checked: CheckedReceipt[] = []
  for (const [path, text] of files) {
    const name = /^receipts\/(.+)\.json$/.exec(path)?.[1]
    if (name !== undefined) checked.push(await checkReceipt(name, text, judge, manifest))
  }
  return checked
}

async function checkReceipt(
  name: string,
  text: string,
  judge: Judge,
  manifest: Manifest | null,
): Promise<CheckedReceipt> {
  try {
    const verdict = await judgeReceipt(text, judge)
    const { body, seal } = verdict.receipt
    return { name, verdict, problems: [...verdict.problems, ...belongingProblems(manifest, { ...body, seal })] }
  } catch (error) {
    return { name, verdict: null, problems: whyRefused(error) }
  }
}

function receiptsPart(receipts: readonly CheckedReceipt[]): CheckedPart {
  const problems = receipts.flatMap(({ name, problems: own }) => own.map(each => `${name}: ${each}`))
  if (receipts.length === 0) problems.push('there is no receipt in it')
  return {
    title: 'Every number',
    words: `${countedAs(receipts.length, 'receipt', 'receipts')} computed again, every line.`,
    problems,
  }
}

function correctionsPart(files: EvidenceFiles, corrections: readonly CheckedCorrection[]): CheckedPart {
  const words = { none: 'No signed price was corrected.', some: 'computed again from the receipts they name.' }
  return { title: 'Every correction', ...proposalsPart(files, correctionsPath, corrections, words) }
}

function changesPart(files: EvidenceFiles, changes: readonly CheckedChange[]): CheckedPart {
  const some = 'with the figures, the document and the version that follow.'
  const words = { none: 'No change of terms was proposed.', some }
  return { title: 'Every change of terms', ...proposalsPart(files, changesPath, changes, words) }
}

/** A package has a list of these proposals, which may be empty: without one it says nothing about them. */
function proposalsPart(
  files: EvidenceFiles,
  listPath: string,
  proposals: readonly (CheckedCorrection | CheckedChange)[],
  { none, some }: { readonly none: string; readonly some: string },
): Omit<CheckedPart, 'title'> {
  const problems = proposals.flatMap(({ id, problems: own }) => own.map(each => `${id}: ${each}`))
  if (!files.has(listPath)) return { words: 'They are not in it.', problems: [`${listPath} is missing`, ...problems] }
  return { words: proposals.length === 0 ? none : `${proposals.length} ${some}`, problems }
}

const knownPaths: ReadonlySet<string> = new Set([
  readMePath,
  verifyPath,
  activityPath,
  peoplePath,
  chainPath,
  correctionsPath,
  correctionsTablePath,
  settledPath,
  changesPath,
  changesTablePath,
  logPath,
  verifierPath,
  wordsPath,
  ...Object.values(tablePaths),
])

/** Whether the program has a check for the file under a path. */
function isKnownPath(path: string): boolean {
  return (
    knownPaths.has(path) ||
    seqOfSlip(path) !== null ||
    /^(?:receipts|corrections|terms-changes|companies)\/[^/]+\.json$|^pages\/[^/]+\.html$|^formulas\/[^/]+\.yaml$/.test(
      path,
    )
  )
}

/** Tables follow from the receipts. */
function checkTables(
  files: EvidenceFiles,
  receipts: readonly NamedReceipt[],
  { corrections, changes }: Pick<CheckedPackage, 'corrections' | 'changes'>,
  settled: readonly SettledPeriod[],
): CheckedPart {
  const records = corrections.flatMap(({ record }) => record ?? [])
  const judged = new Map(corrections.flatMap(({ id, verdict }) => (verdict === null ? [] : [[id, verdict.correction]])))
  const made: (readonly [path: string, make: () => string])[] = [
    [tablePaths.vintages, () => vintagesTable(receipts)],
    [tablePaths.signOffs, () => signOffsTable(receipts)],
    [tablePaths.objections, () => objectionsTable(receipts)],
    [settledPath, () => settledTable(settled)],
    [correctionsTablePath, () => correctionsTable(records, judged)],
    [changesTablePath, () => tableOfChanges(changes)],
  ]
  const words = `${made.length} made again from the receipts and compared.`
  return { title: 'Tables', words, problems: made.flatMap(([path, make]) => unlike(files, path, make)) }
}

/**
 * Makes the pages again from the receipts and compares. They say nothing that the receipts do not, so a verifier that only
 * compares them with the list comes to the same verdict.
 */
function checkPages(
  files: EvidenceFiles,
  receipts: readonly NamedReceipt[],
  settled: readonly SettledPeriod[],
): CheckedPart {
  const pages = [...files.keys()].filter(path => path.startsWith('pages/')).length
  const problems = receipts.flatMap(each => unlike(files, printedPath(each.name), () => printedPage(each, settled)))
  if (pages !== receipts.length)
    problems.push(
      `there are ${countedAs(pages, 'page', 'pages')} of ${countedAs(receipts.length, 'receipt', 'receipts')}`,
    )
  return { title: 'Pages to print', words: `${pages}, as they were sealed.`, problems }
}

function unlike(files: EvidenceFiles, path: string, make: () => string): string[] {
  return isSame(files.get(path), make) ? [] : [`${path} does not follow from the receipts`]
}

function tableOfChanges(changes: readonly CheckedChange[]): string {
  const records = changes.flatMap(({ record }) => record ?? [])
  return changesTable(records, new Map(changes.flatMap(({ id, verdict }) => (verdict ? [[id, verdict.change]] : []))))
}

function isSame(text: string | undefined, make: () => string): boolean {
  try {
    return text === make()
  } catch {
    return false
  }
}
