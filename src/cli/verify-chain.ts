// `verify --chain`: verifies the keyed chains and every stored seal and says, chain by chain, that they hold or where they
// first do not. It reads and repairs nothing.
import { Refusal } from '../core/refusal.ts'
import { type ChainReport, verifyAllChains, verifyChain } from '../storage/chain.ts'
import type { Queryable } from '../storage/database.ts'
import { nameOfSubject } from '../storage/subject-name.ts'
import { type Invocation, writeJson } from './command.ts'
import { scopeNames, withInstallation, workspaceOption } from './installation.ts'
import { countOf, ProgressLine } from './progress.ts'

/** A chain as it is told: of a workspace by its slug, or of the public series. */
interface ToldChain {
  readonly chain: string
  readonly publications: number
  /** Those from before links were keyed. */
  readonly unkeyed: number
  readonly head: string
  readonly problem: string | null
}

export function runVerifyChain(invocation: Invocation): Promise<number> {
  if (invocation.positionals.length > 0) throw new Refusal('invalid', '--chain looks at the database and takes no file')
  return withInstallation(invocation, async installation => {
    const { owner } = installation
    const progress = new ProgressLine(invocation)
    progress.show('verifying the chains', 0, 0)
    const reports =
      invocation.options.workspace === undefined
        ? await verifyAllChains(owner)
        : [await verifyChain(owner, (await workspaceOption(installation, invocation)).id)]
    const nameOf = await scopeNames(owner)
    const chains: ToldChain[] = []
    for (const report of reports) chains.push(await tell(owner, report, nameOf(report.scope)))
    progress.clear()
    report(invocation, chains)
    return chains.some(({ problem }) => problem !== null) ? 1 : 0
  })
}

async function tell(owner: Queryable, report: ChainReport, chain: string): Promise<ToldChain> {
  const { publications, unkeyed, head, problem } = report
  if (problem === null) return { chain, publications, unkeyed, head, problem: null }
  const { seq, message } = problem
  return { chain, publications, unkeyed, head, problem: `publication ${seq}: ${await withName(owner, message)}` }
}

/** The chain speaks of ids; people know the series by its code. */
async function withName(owner: Queryable, message: string): Promise<string> {
  const id = /\b(?:ser|pam)_[0-9a-z]{26}\b/.exec(message)?.[0]
  const name = id === undefined ? null : await nameOfSubject(owner, id)
  return id === undefined || name === null ? message : message.replace(id, `${name}, ${id}`)
}

function report(invocation: Invocation, chains: readonly ToldChain[]): void {
  const { terminal } = invocation
  for (const { chain, problem } of chains) if (problem !== null) terminal.err(`broken: ${chain}: ${problem}\n`)
  if (invocation.json) writeJson(invocation, { same: chains.every(({ problem }) => problem === null), chains })
  else
    for (const { chain, publications, unkeyed, head, problem } of chains) {
      if (problem !== null) continue
      const older = unkeyed === 0 ? '' : ` (the first ${unkeyed} sealed when links became keyed)`
      terminal.out(`same: ${chain}, ${countOf(publications, 'publication')}${older}, head ${head}\n`)
    }
}
