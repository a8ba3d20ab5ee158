// `verify --chain`: walks the chains of hashes and says, chain by chain, that they hold or where they first do not. It
// reads and mends nothing.
import { Refusal } from '../core/refusal.ts'
import { type ChainReport, verifyAllChains, verifyChain } from '../storage/chain.ts'
import type { Queryable } from '../storage/database.ts'
import { publicScope } from '../storage/database.ts'
import { nameOfSubject } from '../storage/subject-name.ts'
import { listWorkspaces } from '../storage/workspaces.ts'
import { type Invocation, writeJson } from './command.ts'
import { withInstallation, workspaceOption } from './installation.ts'
import { countOf, ProgressLine } from './progress.ts'

/** A chain as it is told: of a workspace by its slug, or of the public series. */
interface ToldChain {
  readonly chain: string
  readonly publications: number
  readonly head: string
  readonly problem: string | null
}

export function runVerifyChain(invocation: Invocation): Promise<number> {
  if (invocation.positionals.length > 0) throw new Refusal('invalid', '--chain looks at the database and takes no file')
  return withInstallation(invocation, async installation => {
    const { owner } = installation
    const progress = new ProgressLine(invocation)
    progress.show('walking the chains', 0, 0)
    const reports =
      invocation.options.workspace === undefined
        ? await verifyAllChains(owner)
        : [await verifyChain(owner, (await workspaceOption(installation, invocation)).id)]
    const slugs = new Map((await listWorkspaces(owner)).map(({ id, slug }) => [id, slug]))
    const chains: ToldChain[] = []
    for (const report of reports) chains.push(await tell(owner, report, slugs))
    progress.clear()
    report(invocation, chains)
    return chains.some(({ problem }) => problem !== null) ? 1 : 0
  })
}

async function tell(owner: Queryable, report: ChainReport, slugs: ReadonlyMap<string, string>): Promise<ToldChain> {
  const { scope, publications, head, problem } = report
  const chain = scope === publicScope ? 'public series' : (slugs.get(scope) ?? scope)
  if (problem === null) return { chain, publications, head, problem: null }
  const { seq, message } = problem
  return { chain, publications, head, problem: `publication ${seq}: ${await withName(owner, message)}` }
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
    for (const { chain, publications, head, problem } of chains)
      if (problem === null) terminal.out(`same: ${chain}, ${countOf(publications, 'publication')}, head ${head}\n`)
}
