// F1 for changes of terms: the command that gives the second signature, and the database under it, are killed at random moments.
// Signature and formula version are there together or not at all; a rerun completes it.
import { setTimeout as sleep } from 'node:timers/promises'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { proposeAmendment } from '../../src/agreements/terms/propose.ts'
import { signChange } from '../../src/agreements/terms/sign-change.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { isServing, readPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { openApplication, type Sql } from '../../src/storage/postgres/database.ts'
import { databaseTroubleOf } from '../../src/storage/postgres/database-errors.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { createWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { Chance } from './chance.ts'
import { CommandRun, runInPeace } from './command-run.ts'
import type { FaultRun } from './fault.ts'
import type { FolderGround } from './grounds.ts'

const people = { buyer: 'ann@buyer.test', supplier: 'sam@supplier.test' } as const
const slug = 'steel-brackets'

class SpliceKills {
  readonly failures: string[] = []
  done = 0
  undone = 0
  readonly #ground: FolderGround
  readonly #workspace: Workspace
  readonly #sql: Sql
  readonly #seal: Seal
  readonly #chance: Chance
  #durationMs = 500

  constructor(ground: FolderGround, workspace: Workspace, sql: Sql, seed: number) {
    this.#ground = ground
    this.#workspace = workspace
    this.#sql = sql
    this.#seal = new Seal(ground.secret)
    this.#chance = new Chance(seed)
  }

  async round(round: number): Promise<void> {
    const id = await this.#proposeSigned(round)
    const delayMs = this.#chance.int(0, Math.ceil(this.#durationMs * 1.2))
    const victim = round % 2 === 0 ? 'command' : 'database'
    const told = `round ${round}, ${victim} killed ${delayMs} ms into the second signature`
    const words = ['splice', 'sign', id, '--party', 'supplier', '--as', people.supplier]
    const command = [...words, '--workspace', this.#workspace.slug]
    const run = await CommandRun.start(this.#ground.folder, command)
    await sleep(delayMs)
    if (victim === 'command') run.kill()
    else await this.#killDatabase()
    const { acknowledged, err } = await run.end()
    await this.#ground.embedded.ensureRunning()
    const left = await this.#count(id)
    if (left.signatures !== left.versions)
      this.failures.push(`${told}: ${left.signatures} second signatures and ${left.versions} versions`)
    if (acknowledged !== null && left.versions !== 1) this.failures.push(`${told}: acknowledged and not there`)
    if (/\n\s+at /.test(err)) this.failures.push(`${told}: a stack trace: ${err}`)
    if (left.versions === 0) this.undone++
    else this.done++
    this.#durationMs = (await runInPeace(this.#ground.folder, command)).ms
    const after = await this.#count(id)
    if (after.signatures !== 1 || after.versions !== 1) this.failures.push(`${told}: a rerun did not complete it`)
  }

  /** An amendment that the buyer has signed. */
  async #proposeSigned(round: number): Promise<string> {
    const workspaceId = this.#workspace.id
    const text = oldIndexDocument({ clause: `{ cap: { periodPct: ${round + 1} } }` })
    const by = { who: 'operator', fromAddress: null }
    const request = { workspaceId, pam: slug, text, by, reason: 'Another cap.' }
    const { id } = await this.#patiently(() => proposeAmendment(this.#sql, request))
    const signer = { party: 'buyer' as const, email: people.buyer, proof: { means: 'OPERATOR' as const } }
    const signing = { id, hash: null, ...signer, fromAddress: null }
    await this.#patiently(() => signChange(this.#sql, this.#seal, workspaceId, signing))
    return id
  }

  #count(id: string): Promise<{ readonly signatures: number; readonly versions: number }> {
    return this.#patiently(async () => {
      const [row] = await this.#ground.owner<{ signatures: number; versions: number }[]>`
        select (select count(*) from terms_change_signature where change_id = ${id} and party = 'supplier') as signatures,
          (select count(*) from formula where proposal = ${id}) as versions`
      return row!
    })
  }

  /** A connection may not have noticed yet that its database was killed. */
  async #patiently<T>(act: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++)
      try {
        return await act()
      } catch (error) {
        if (tries === 20 || databaseTroubleOf(error) === null) throw error
        await sleep(100)
      }
  }

  async #killDatabase(): Promise<void> {
    const { dataFolder } = this.#ground.cluster
    const { pid } = readPostmaster(dataFolder)!
    process.kill(pid, 'SIGKILL')
    while (isServing(pid, dataFolder)) await sleep(5)
  }
}

interface SpliceKillReport {
  readonly failures: readonly string[]
  readonly done: number
  readonly undone: number
}

export async function killAtSplices(ground: FolderGround, { rounds, seed, say }: FaultRun): Promise<SpliceKillReport> {
  const sql = openApplication(ground.target, { connections: 2 })
  const workspace = await createWorkspace(ground.owner, { slug: `splice-kills-${seed}` })
  const upload = uploadOf(twoIndices)
  await importTable(sql, workspace.id, textSource(twoIndices), { dryRun: false, upload, onProgress: () => {} })
  await createMember(sql, workspace.id, { email: people.buyer, role: 'buyer' })
  const today = parseDay('2024-11-15')!
  await applyDocument(sql, { workspaceId: workspace.id, text: oldIndexDocument(), by: 'eva@editor.test', today })
  const kills = new SpliceKills(ground, workspace, sql, seed)
  for (let round = 1; round <= rounds; round++) {
    await kills.round(round)
    if (round % 25 === 0) say(`${round} killed: ${kills.done} times done, ${kills.undone} times not`)
  }
  for (const { scope, problem } of await verifyAllChains(ground.owner))
    if (problem !== null) kills.failures.push(`the chain of ${scope}: publication ${problem.seq}: ${problem.message}`)
  await sql.end({ timeout: 5 })
  return kills
}
