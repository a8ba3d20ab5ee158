// An evidence package: everything about one agreement over a range of periods as plain files, and a manifest that lists them
// with their hashes under the installation's seal. Made on the server, checked by a page that is opened from disk.

import type { Signature } from '../../core/receipt/receipt.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import { sha256 } from '../../core/text/sha256.ts'

export const evidenceFormat = 'assize-evidence/1'

/** Texts in UTF-8 by path inside the package. */
export type EvidenceFiles = ReadonlyMap<string, string>

interface ListedFile {
  readonly path: string
  readonly sha256: string
}

export interface ManifestBody {
  readonly format: typeof evidenceFormat
  readonly installation: { readonly id: string; readonly name: string | null }
  readonly workspace: { readonly slug: string; readonly name: string }
  readonly agreement: { readonly slug: string; readonly name: string }
  /** The first and the last period in it. */
  readonly from: string
  readonly to: string
  readonly madeAt: string
  readonly madeBy: string
  /** Sorted by path. */
  readonly files: readonly ListedFile[]
}

export interface Manifest {
  readonly body: ManifestBody
  readonly hash: string
  readonly seal: Signature
}

/** The agreement, installation and workspace that a sealed thing names. */
interface Belonging {
  readonly pam: string
  readonly installation?: { readonly id: string } | null | undefined
  readonly workspace?: { readonly slug: string } | null | undefined
  readonly seal: Signature | null
}

/** Reasons why a sealed thing does not belong to the manifest's package. */
export function belongingProblems(
  manifest: Manifest | null,
  { pam: agreement, installation, workspace, seal }: Belonging,
): string[] {
  if (manifest === null) return []
  const { body } = manifest
  const problems: string[] = []
  if (agreement !== body.agreement.slug) problems.push('it is of another agreement')
  if (installation != null && installation.id !== body.installation.id) problems.push('it is of another installation')
  if (workspace != null && workspace.slug !== body.workspace.slug) problems.push('it is of another workspace')
  if (seal?.publicKey !== manifest.seal.publicKey) problems.push('it is sealed by another key than the list of files')
  return problems
}

export const manifestPath = 'manifest.json'
/** A copy of the other files that the page can read: a page opened from disk may not open its neighbours. */
export const copyPath = 'verify-data.js'
export const verifyPath = 'verify.html'
/** The second verifier, for whoever has Python and does not want to rely on our program. */
export const verifierPath = 'assize_verify.py'

export const tablePaths = { vintages: 'vintages.csv', signOffs: 'sign-offs.csv', objections: 'objections.csv' } as const
export const chainPath = 'chain.json'
/** A table of acts concerning the people of the parties' companies. */
export const peoplePath = 'people.csv'

/** A company's part of the chain. */
export function companyPath(slug: string): string {
  return `companies/${slug}.json`
}

export const activityPath = 'activity.csv'
export const readMePath = 'README.txt'

/** The name of a period's receipt; `olderHash`: of a number that was signed or objected to before it changed. */
export function receiptName(period: string, olderHash: string | null): string {
  return olderHash === null ? period : `${period}-before-${olderHash.slice(0, 12)}`
}

export function receiptPath(name: string): string {
  return `receipts/${name}.json`
}

export function printedPath(name: string): string {
  return `pages/${name}.html`
}

export function agreementPath(version: number): string {
  return `formulas/version-${version}.yaml`
}

export function listFiles(files: EvidenceFiles): readonly ListedFile[] {
  return [...files].map(([path, text]) => ({ path, sha256: sha256(text) })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

export function hashOfManifest(body: ManifestBody): string {
  return sha256(canonicalJson(body as unknown as Json))
}

/** The text that the installation's key signs: nothing else it signs has this prefix. */
export function sealedText(hash: string): string {
  return `${evidenceFormat} ${hash}`
}

const copyStart = 'globalThis.assizeEvidence='

/** Plain ASCII: the same bytes in every encoding a browser may guess. */
export function formatCopy(files: EvidenceFiles): string {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  const json = JSON.stringify(Object.fromEntries(sorted)).replaceAll(
    /[^ -~]|</g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${copyStart}${json}\n`
}
