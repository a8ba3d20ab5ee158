// Checks the parts of the chain in an evidence package against its other files: the entries about the agreement, and the lists
// of people that its companies confirmed.

import { type CompanyPeople, hashOfPeople } from '../../core/people/company-people.ts'
import { formatRedacted, type PartySignature } from '../../core/receipt/party-signature.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { countedAs } from '../../core/text/counts.ts'
import { sha256 } from '../../core/text/sha256.ts'
import { readStrictJson } from '../../core/text/strict-json.ts'
import { type ChainPart, chainProblems, redactionsOf } from './chain-part.ts'
import type { Contents } from './check-proposals.ts'
import type { CheckedPart } from './checked-part.ts'
import { agreementPath, chainPath, type EvidenceFiles } from './manifest.ts'
import type { NamedReceipt } from './tables.ts'

const bounds = { length: 100_000_000, depth: 64, values: 4_000_000 }

/** The lists of people that signatures name must be in the chain, each with the hash it is named by. */
export function checkCompanies(files: EvidenceFiles, signatures: readonly PartySignature[]): CheckedPart[] {
  const paths = [...files.keys()].filter(path => /^companies\/.+\.json$/.test(path))
  if (paths.length === 0) return []
  const problems = paths.flatMap(path => {
    try {
      const part = readStrictJson(files.get(path)!, path, bounds) as unknown as ChainPart
      const slug = path.slice('companies/'.length, -'.json'.length)
      return [...chainProblems(part), ...listProblems(part, slug, signatures)].map(each => `${path}: ${each}`)
    } catch (error) {
      return [error instanceof Refusal ? error.message : `${path} cannot be read`]
    }
  })
  const words = `${paths.length} ${paths.length === 1 ? 'company' : 'companies'}: what was done about their people, and the lists they confirmed.`
  return [{ title: 'The people of the companies', words, problems }]
}

function listProblems(part: ChainPart, slug: string, signatures: readonly PartySignature[]): string[] {
  const { scope, entries } = part
  const redactions = redactionsOf(part)
  const confirmed = entries
    .filter(({ kind }) => kind === 'people')
    .map(({ seq, content }) => ({
      ...(content as unknown as { readonly kind: string; readonly facts: CompanyPeople & { hash: string } }),
      // A list in which somebody was erased keeps its hash alone.
      isWhole: !redactions.has(seq),
    }))
    .filter(({ kind }) => kind === 'CONFIRMED')
    .map(({ facts, isWhole }) => ({ ...facts, isWhole }))
  const wrong = confirmed
    .filter(({ isWhole }) => isWhole)
    .filter(({ hash, people }) => hashOfPeople({ workspace: scope, party: slug, people }) !== hash)
    .map(({ hash }) => `the list ${hash} is not the one that was confirmed`)
  const named = signatures.map(({ origin }) => origin?.company ?? null)
  const missing = named
    .filter(company => company?.slug === slug && company.confirmed !== null)
    .map(company => company!.confirmed!.hash)
    .filter(hash => !confirmed.some(each => each.hash === hash))
    .map(hash => `the list ${hash} that a signature names is not in the chain`)
  return [...wrong, ...new Set(missing)]
}

function readChain(files: EvidenceFiles): ChainPart {
  return readStrictJson(files.get(chainPath)!, chainPath, bounds) as unknown as ChainPart
}

/** The package's part of the chain; null without one, or if it cannot be read. */
export function readChainOf(files: EvidenceFiles): ChainPart | null {
  if (!files.has(chainPath)) return null
  try {
    const part = readChain(files)
    return Array.isArray(part.entries) ? part : null
  } catch {
    return null
  }
}

/** The contents of the part of the chain by kind; null for a package without one. */
export function chainContents(files: EvidenceFiles): Contents | null {
  const part = readChainOf(files)
  return part === null ? null : contentsOf(part)
}

function contentsOf({ entries }: ChainPart): Contents {
  return kind => entries.filter(each => each.kind === kind).map(each => each.content as Record<string, Json>)
}

/** A sentence that also tells who was erased, when and by whom. */
function wordsOf(part: ChainPart): string {
  const redactions = [...redactionsOf(part).values()].flat()
  const told = new Set(redactions.map(each => `${each.instead} was ${formatRedacted(each)}`))
  const counted = `${countedAs(part.entries.length, 'publication', 'publications')} computed again.`
  return [counted, ...[...told].map(each => `${each}.`)].join(' ')
}

/**
 * Checks that the chain agrees with the other files about the agreement, and about everything that both parties signed besides
 * its numbers.
 */
export function checkChain(
  files: EvidenceFiles,
  receipts: readonly NamedReceipt[],
  proposalProblems: (contents: Contents) => readonly string[],
): CheckedPart {
  const title = 'The part of the chain'
  try {
    const part = readChain(files)
    const problems = [...chainProblems(part)]
    const of = contentsOf(part)
    for (const { version, documentText } of of('formula')) {
      const text = files.get(agreementPath(Number.parseInt(String(version), 10)))
      if (text === undefined || sha256(text) !== documentText)
        problems.push(`version ${String(version)} of the formula is not the one that was published`)
    }
    const signed = new Set(of('signature').map(each => `${each.receiptHash} ${each.party} ${each.signedBy}`))
    const objected = new Set(of('objection').map(each => String(each.id)))
    for (const { name, receipt } of receipts) {
      const missing = receipt.signatures.filter(each => !signed.has(`${each.hash} ${each.party} ${each.signedBy}`))
      problems.push(...missing.map(each => `${name}: the ${each.party}'s signature is not in the chain`))
      const silent = (receipt.objections ?? []).filter(({ id }) => !objected.has(id))
      problems.push(...silent.map(({ id }) => `${name}: the objection ${id} is not in the chain`))
    }
    problems.push(...proposalProblems(of))
    return { title, words: wordsOf(part), problems }
  } catch (error) {
    return {
      title,
      words: 'It cannot be read.',
      problems: [error instanceof Refusal ? error.message : `${chainPath} is not one`],
    }
  }
}
