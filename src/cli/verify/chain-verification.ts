// Verifies chains for `verify --chain` and puts the findings into words: runs in a thread of its own (verify-chain-inside.ts),
// because hashing long receipts keeps the processor busy.

import { findChangedEntries } from '../../storage/log/changed-entries.ts'
import { loadRing } from '../../storage/log/ring-state.ts'
import { type DatabaseTarget, openOwner, type Queryable, ringIn, type Sql } from '../../storage/postgres/database.ts'
import { LogKeys } from '../../storage/proof/log-keys.ts'
import { type ChainReport, verifyAllChains, verifyChain, wordsOfProblem } from '../../storage/upkeep/chain.ts'
import { type LogReport, verifyLog } from '../../storage/upkeep/log-check.ts'
import { nameOfSubject } from '../../storage/upkeep/subject-name.ts'
import { scopeNames } from '../frame/installation.ts'

/** A chain as printed: of a workspace by its slug, of the public series, or of the accounts. */
interface ChainOutput {
  readonly chain: string
  readonly publications: number
  /** Redactions, which replaced what entries said about people who were erased. */
  readonly redacted: number
  /** Root of the tree over the publications; null where the check did not come to its end. */
  readonly root: string | null
  /** The access log; null where the chain has none. */
  readonly access: { readonly entries: number; readonly head: string } | null
  readonly problem: string | null
  /** Agreements of a broken chain that are not as they were published, by slug. */
  readonly agreements: readonly AgreementOutput[]
}

interface AgreementOutput {
  readonly agreement: string
  /** The numbers of its invalid entries. */
  readonly publications: readonly number[]
}

/** Findings about every chain, and about the public log where all chains were asked for. */
export interface VerificationOutput {
  readonly chains: readonly ChainOutput[]
  readonly log: LogReport | null
}

export interface VerificationTask {
  readonly target: DatabaseTarget
  /** The workspace to verify; null for every chain there is. */
  readonly workspaceId: string | null
}

export async function verifyChains({ target, workspaceId }: VerificationTask): Promise<VerificationOutput> {
  const owner = openOwner(target, { connections: 1 })
  try {
    await loadRing(owner, ringIn(owner))
    const reports = workspaceId === null ? await verifyAllChains(owner) : [await verifyChain(owner, workspaceId)]
    const nameOf = await scopeNames(owner)
    const chains: ChainOutput[] = []
    for (const report of reports) chains.push(await tell(owner, report, nameOf(report.scope)))
    const log = workspaceId === null ? await verifyLog(owner, new LogKeys(ringIn(owner))) : null
    return { chains, log }
  } finally {
    await owner.end()
  }
}

async function tell(owner: Sql, report: ChainReport, chain: string): Promise<ChainOutput> {
  const { scope, publications, redacted, root, entries, accessHead, problem } = report
  const access = accessHead === null ? null : { entries, head: accessHead }
  const whole = { chain, publications, redacted, root, access, agreements: [] }
  if (problem === null) return { ...whole, problem: null }
  const words = await withName(owner, wordsOfProblem(problem))
  return { ...whole, problem: words, agreements: problem.seq === null ? [] : await touched(owner, scope) }
}

/** Agreements with changed rows; none where the rows cannot even be compared, because the fault is reported already. */
async function touched(owner: Sql, scope: string): Promise<readonly AgreementOutput[]> {
  const changed = await findChangedEntries(owner, scope).catch(() => [])
  const found: AgreementOutput[] = []
  const ofAgreements = changed.filter(({ subject }) => subject.startsWith('pam_'))
  for (const [id, rows] of Map.groupBy(ofAgreements, ({ subject }) => subject))
    found.push({ agreement: (await nameOfSubject(owner, id)) ?? id, publications: rows.map(({ seq }) => seq) })
  return found
}

/** The chain uses ids; people know a series by its code. */
async function withName(owner: Queryable, message: string): Promise<string> {
  const id = /\b(?:ser|pam)_[0-9a-z]{26}\b/.exec(message)?.[0]
  const name = id === undefined ? null : await nameOfSubject(owner, id)
  return id === undefined || name === null ? message : message.replace(id, `${name}, ${id}`)
}
