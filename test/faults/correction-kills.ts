// F1 for corrections: the command that proposes or signs one, and the database under it, are killed at random moments. A proposal
// or a signature is there once or not at all; what was acknowledged is there; a rerun completes it.
import { setTimeout as sleep } from 'node:timers/promises'
import { applyDocument } from '../../src/agreements/apply.ts'
import { proposeCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { signPeriod } from '../../src/agreements/sign.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { isServing, readPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { openApplication, type Sql } from '../../src/storage/postgres/database.ts'
import { databaseTroubleOf } from '../../src/storage/postgres/database-errors.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { createWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { Chance } from './chance.ts'
import { CommandRun, type Ending, runInPeace } from './command-run.ts'
import type { FaultRun } from './fault.ts'
import type { FolderGround } from './grounds.ts'

const works = ['propose', 'buyer', 'supplier'] as const
type Work = (typeof works)[number]
const victims = ['command', 'database'] as const
const people = { buyer: 'ann@buyer.test', supplier: 'sam@supplier.test' } as const

/** How many of each there are: every work with every victim. */
export const correctionKillKinds = works.length * victims.length

class CorrectionKills {
  readonly failures: string[] = []
  done = 0
  undone = 0
  readonly #ground: FolderGround
  readonly #workspace: Workspace
  /** For what is not killed: the functions that the commands call, without starting a command. */
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

  #words(work: Work, id: string): string[] {
    const words =
      work === 'propose'
        ? ['correction', 'propose', 'steel-brackets']
        : ['correction', 'sign', id, '--party', work, '--as', people[work]]
    return [...words, '--workspace', this.#workspace.slug]
  }

  async round(round: number): Promise<void> {
    const work = works[round % works.length]!
    const victim = victims[Math.floor(round / works.length) % victims.length]!
    await this.#revise(round)
    const id = work === 'propose' ? '' : await this.#proposeInPeace(work)
    const before = await this.#count(work, id)
    const delayMs = this.#chance.int(0, Math.ceil(this.#durationMs * 1.2))
    const told = `round ${round}, ${victim} killed ${delayMs} ms into ${work}`
    const words = this.#words(work, id)
    const run = await CommandRun.start(this.#ground.folder, words)
    await sleep(delayMs)
    if (victim === 'command') run.kill()
    else await this.#killDatabase()
    const ending = await run.end()
    await this.#ground.embedded.ensureRunning()
    const left = (await this.#count(work, id)) - before
    for (const problem of judge(ending, left)) this.failures.push(`${told}: ${problem}`)
    if (left === 0) this.undone++
    else this.done++
    this.#durationMs = (await runInPeace(this.#ground.folder, words)).ms
    const after = (await this.#count(work, id)) - before
    if (after !== 1) this.failures.push(`${told}: after a rerun there are ${after}`)
    await this.#agree()
  }

  /** Another figure, so that something is due. */
  async #revise(round: number): Promise<void> {
    const at = `2025-01-01T00:00:00.${String(round).padStart(6, '0')}Z`
    const table = `series,period,value,version,published\nCUSTOM/metal,2024-03,${100 + (round % 7)}.${round},REVISED,${at}\n`
    await this.#patiently(() =>
      importTable(this.#sql, this.#workspace.id, textSource(table), {
        dryRun: false,
        upload: uploadOf(table),
        onProgress: () => {},
      }),
    )
  }

  async #proposeInPeace(work: 'buyer' | 'supplier'): Promise<string> {
    const by = { who: 'operator', fromAddress: null }
    const request = { workspaceId: this.#workspace.id, pam: 'steel-brackets', reason: null, by }
    const { correction } = await this.#patiently(() => proposeCorrection(this.#sql, this.#seal, request))
    if (work === 'supplier') await this.#signInPeace(correction.id, 'buyer')
    return correction.id
  }

  async #signInPeace(id: string, party: 'buyer' | 'supplier'): Promise<void> {
    const request = { workspaceId: this.#workspace.id, id, party, email: people[party], hash: null, fromAddress: null }
    await this.#patiently(() => signCorrection(this.#sql, this.#seal, { ...request, proof: { means: 'OPERATOR' } }))
  }

  /** Both sign what is open, so that the next round begins with nothing due. */
  async #agree(): Promise<void> {
    const rows = await this.#patiently(
      () => this.#ground.owner<{ id: string }[]>`
        select id from correction where workspace_id = ${this.#workspace.id} order by seq desc limit 1`,
    )
    for (const party of ['buyer', 'supplier'] as const) await this.#signInPeace(rows[0]!.id, party)
  }

  #count(work: Work, id: string): Promise<number> {
    return this.#patiently(async () => {
      const { owner } = this.#ground
      const [row] =
        work === 'propose'
          ? await owner<{ count: number }[]>`
              select count(*) from correction where workspace_id = ${this.#workspace.id}`
          : await owner<{ count: number }[]>`
              select count(*) from correction_signature where correction_id = ${id} and party = ${work}`
      return row!.count
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

function judge({ status, acknowledged, err }: Ending, left: number): string[] {
  return [
    ...(left === 0 || left === 1 ? [] : [`${left} are there`]),
    ...(acknowledged !== null && left !== 1 ? ['it was acknowledged and is not there'] : []),
    ...(status !== 0 && status !== null && status !== 1 ? [`it ended with ${status}: ${err}`] : []),
    ...(/\n\s+at /.test(err) ? [`a stack trace: ${err}`] : []),
  ]
}

export interface CorrectionKillReport {
  readonly failures: readonly string[]
  readonly done: number
  readonly undone: number
}

export async function killAtCorrections(
  ground: FolderGround,
  { rounds, seed, say }: FaultRun,
): Promise<CorrectionKillReport> {
  const sql = openApplication(ground.target, { connections: 2 })
  const workspace = await createWorkspace(ground.owner, { slug: `correction-kills-${seed}` })
  const upload = uploadOf(firstPrints)
  await importTable(sql, workspace.id, textSource(firstPrints), { dryRun: false, upload, onProgress: () => {} })
  await createMember(sql, workspace.id, { email: people.buyer, role: 'buyer' })
  const text = trueUpDocument({ corrections: '{ when: EACH }' })
  const today = parseDay('2024-11-15')!
  await applyDocument(sql, { workspaceId: workspace.id, text, by: 'eva@editor.test', today })
  for (const [party, email] of Object.entries(people) as ['buyer' | 'supplier', string][])
    await signPeriod(sql, new Seal(ground.secret), {
      ...{ workspaceId: workspace.id, pam: 'steel-brackets', period: '2024-Q2', shown: null, through: false },
      ...{ party, email, proof: { means: 'OPERATOR' as const }, fromAddress: null },
    })
  const kills = new CorrectionKills(ground, workspace, sql, seed)
  for (let round = 1; round <= rounds; round++) {
    await kills.round(round)
    if (round % 25 === 0) say(`${round} killed: ${kills.done} times done, ${kills.undone} times not`)
  }
  for (const { scope, problem } of await verifyAllChains(ground.owner))
    if (problem !== null) kills.failures.push(`the chain of ${scope}: publication ${problem.seq}: ${problem.message}`)
  await sql.end({ timeout: 5 })
  return kills
}
