// `verify --chain`: verifies the keyed chains and every stored seal and prints for each chain that it is intact or where it
// first breaks, and then which agreements are not as they were published. It changes nothing.
import { Refusal } from '../core/refusal.ts'
import { type ChainReport, verifyAllChains, verifyChain } from '../storage/chain.ts'
import type { Queryable, Sql } from '../storage/database.ts'
import { findUnlinked } from '../storage/linked.ts'
import { nameOfSubject } from '../storage/subject-name.ts'
import { type Invocation, writeJson } from './command.ts'
import { scopeNames, withInstallation, workspaceOption } from './installation.ts'
import { countOf, ProgressLine } from './progress.ts'

/** A chain as printed: of a workspace by its slug, or of the public series. */
interface ChainOutput {
  readonly chain: string
  readonly publications: number
  /** Those from before links were keyed. */
  readonly unkeyed: number
  readonly head: string
  readonly problem: string | null
  /** Of a broken chain: the agreements that are not as they were published, by slug. */
  readonly agreements: readonly AgreementOutput[]
}

interface AgreementOutput {
  readonly agreement: string
  /** The numbers of its invalid publications. */
  readonly publications: readonly number[]
}

export function runVerifyChain(invocation: Invocation): Promise<number> {
  if (invocation.positionals.length > 0) throw new Refusal('invalid', '--chain checks the database and takes no file')
  return withInstallation(invocation, async installation => {
    const { owner } = installation
    const progress = new ProgressLine(invocation)
    progress.show('verifying the chains', 0, 0)
    const reports =
      invocation.options.workspace === undefined
        ? await verifyAllChains(owner)
        : [await verifyChain(owner, (await workspaceOption(installation, invocation)).id)]
    const nameOf = await scopeNames(owner)
    const chains: ChainOutput[] = []
    for (const report of reports) chains.push(await tell(owner, report, nameOf(report.scope)))
    progress.clear()
    report(invocation, chains)
    return chains.some(({ problem }) => problem !== null) ? 1 : 0
  })
}

async function tell(owner: Sql, report: ChainReport, chain: string): Promise<ChainOutput> {
  const { scope, publications, unkeyed, head, problem } = report
  if (problem === null) return { chain, publications, unkeyed, head, problem: null, agreements: [] }
  const { seq, message } = problem
  const words = `publication ${seq}: ${await withName(owner, message)}`
  return { chain, publications, unkeyed, head, problem: words, agreements: await touched(owner, scope) }
}

async function touched(owner: Sql, scope: string): Promise<readonly AgreementOutput[]> {
  const unlinked = (await findUnlinked(owner, scope)).filter(({ subject }) => subject.startsWith('pam_'))
  const found: AgreementOutput[] = []
  for (const [id, rows] of Map.groupBy(unlinked, ({ subject }) => subject))
    found.push({ agreement: (await nameOfSubject(owner, id)) ?? id, publications: rows.map(({ seq }) => seq) })
  return found
}

/** The chain uses ids; people know a series by its code. */
async function withName(owner: Queryable, message: string): Promise<string> {
  const id = /\b(?:ser|pam)_[0-9a-z]{26}\b/.exec(message)?.[0]
  const name = id === undefined ? null : await nameOfSubject(owner, id)
  return id === undefined || name === null ? message : message.replace(id, `${name}, ${id}`)
}

function report(invocation: Invocation, chains: readonly ChainOutput[]): void {
  const { terminal } = invocation
  for (const { chain, problem, agreements } of chains) {
    if (problem !== null) terminal.err(`broken: ${chain}: ${problem}\n`)
    for (const { agreement, publications } of agreements)
      terminal.err(`  ${agreement} is not as it was published: publications ${publications.join(', ')}\n`)
  }
  if (invocation.json) writeJson(invocation, { same: chains.every(({ problem }) => problem === null), chains })
  else
    for (const { chain, publications, unkeyed, head, problem } of chains) {
      if (problem !== null) continue
      const older = unkeyed === 0 ? '' : ` (the first ${unkeyed} sealed when links became keyed)`
      terminal.out(`same: ${chain}, ${countOf(publications, 'publication')}${older}, head ${head}\n`)
    }
}
