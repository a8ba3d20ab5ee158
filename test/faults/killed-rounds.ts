// What the long forms that kill a command of a party, or the database under it, have in common: the workspace, one killed run, and the
// report of all rounds.
import { setTimeout as sleep } from 'node:timers/promises'
import { Seal } from '../../src/agreements/seal.ts'
import { importTable } from '../../src/import/table.ts'
import { isServing, readPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { openApplication, type Sql } from '../../src/storage/postgres/database.ts'
import { databaseTroubleOf } from '../../src/storage/postgres/database-errors.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { createWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import { CommandRun, type Ending } from './command-run.ts'
import type { FolderGround } from './grounds.ts'

export const people = { buyer: 'ann@buyer.test', supplier: 'sam@supplier.test' } as const
export type Victim = 'command' | 'database'

export interface KillReport {
  readonly failures: readonly string[]
  readonly done: number
  readonly undone: number
}

export abstract class KilledRounds implements KillReport {
  readonly failures: string[] = []
  done = 0
  undone = 0
  protected durationMs = 500
  protected readonly ground: FolderGround
  protected readonly workspace: Workspace
  /** For what is not killed: the functions that the commands call, without starting a command. */
  protected readonly sql: Sql
  protected readonly seal: Seal
  readonly #chance: Chance

  constructor(ground: FolderGround, workspace: Workspace, sql: Sql, seed: number) {
    this.ground = ground
    this.workspace = workspace
    this.sql = sql
    this.seal = new Seal(ground.ring)
    this.#chance = new Chance(seed)
  }

  abstract round(round: number): Promise<void>

  /** Starts the command, kills its process or its database at a random moment, and waits until both have ended. */
  protected async killDuring(words: readonly string[], victim: Victim): Promise<Ending & { readonly delayMs: number }> {
    const delayMs = this.#chance.int(0, Math.ceil(this.durationMs * 1.2))
    const run = await CommandRun.start(this.ground.folder, words)
    await sleep(delayMs)
    if (victim === 'command') run.kill()
    else await this.#killDatabase()
    const ending = await run.end()
    await this.ground.embedded.ensureRunning()
    return { ...ending, delayMs }
  }

  protected async importing(table: string): Promise<void> {
    const upload = uploadOf(table)
    const options = { dryRun: false, upload, onProgress: () => {} }
    await this.patiently(() => importTable(this.sql, this.workspace.id, textSource(table), options))
  }

  /** A connection may not have noticed yet that its database was killed. */
  protected async patiently<T>(act: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++)
      try {
        return await act()
      } catch (error) {
        if (tries === 20 || databaseTroubleOf(error) === null) throw error
        await sleep(100)
      }
  }

  async #killDatabase(): Promise<void> {
    const { dataFolder } = this.ground.cluster
    const { pid } = readPostmaster(dataFolder)!
    process.kill(pid, 'SIGKILL')
    while (isServing(pid, dataFolder)) await sleep(5)
  }
}

type Kills = new (...parts: ConstructorParameters<typeof KilledRounds>) => KilledRounds & { prepare(): Promise<void> }

/** In a workspace of its own, whose chain verifies at the end. */
export async function runKills(
  kind: { readonly name: string; readonly Kills: Kills },
  ground: FolderGround,
  { rounds, seed, say }: LongRun,
): Promise<KillReport> {
  const sql = openApplication(ground.target, { connections: 2 })
  const workspace = await createWorkspace(ground.owner, { slug: `${kind.name}-kills-${seed}` })
  await createMember(sql, workspace.id, { email: people.buyer, role: 'buyer' })
  const kills = new kind.Kills(ground, workspace, sql, seed)
  await kills.prepare()
  for (let round = 1; round <= rounds; round++) {
    await kills.round(round)
    if (round % 25 === 0) say(`${round} killed: ${kills.done} times done, ${kills.undone} times not`)
  }
  for (const { scope, problem } of await verifyAllChains(ground.owner))
    if (problem !== null) kills.failures.push(`the chain of ${scope}: publication ${problem.seq}: ${problem.message}`)
  await sql.end({ timeout: 5 })
  return kills
}
