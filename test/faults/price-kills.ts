// F1 for prices: the command that applies a price list or imports invoice lines, and the database under it, are killed at
// random moments. A list or a file is there completely or not at all; what was acknowledged is there; a rerun completes it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyDocument } from '../../src/agreements/apply.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { isServing, readPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { openApplication } from '../../src/storage/postgres/database.ts'
import { databaseTroubleOf } from '../../src/storage/postgres/database-errors.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import { CommandRun, type Ending, runInPeace } from './command-run.ts'
import type { FolderGround } from './grounds.ts'

const works = ['list', 'lines'] as const
type Work = (typeof works)[number]
const victims = ['command', 'database'] as const

/** So many rounds have every work once, and either victim. */
export const priceKillKinds = works.length

const itemCount = 1_500
const lineCount = 1_500
const linesPerInvoice = 15

const itemOf = (round: number, i: number) => `R${round}-${i}`

function listOf(round: number): string {
  const rows = Array.from({ length: itemCount }, (_, i) => `${itemOf(round, i)},${10 + (i % 90)}.${i % 10},EUR\n`)
  return `item,price,currency\n${rows.join('')}`
}

/** They bill an item that every version of the list has. */
function linesOf(round: number): string {
  const rows = Array.from({ length: lineCount }, (_, i) => {
    const invoice = `K${round}-${Math.floor(i / linesPerInvoice)}`
    return `${invoice},${(i % linesPerInvoice) + 1},billed,${1 + i},12.69,2024-05-10\n`
  })
  return `invoice,line,agreement,quantity,unit_price,date\n${rows.join('')}`
}

class PriceKills {
  readonly failures: string[] = []
  done = 0
  undone = 0
  readonly #ground: FolderGround
  readonly #workspace: string
  readonly #chance: Chance
  #durations: Readonly<Record<Work, number>> = { list: 0, lines: 0 }

  constructor(ground: FolderGround, workspace: string, seed: number) {
    this.#ground = ground
    this.#workspace = workspace
    this.#chance = new Chance(seed)
  }

  async measure(): Promise<void> {
    const list = await runInPeace(this.#ground.folder, await this.#words('list', 0))
    const lines = await runInPeace(this.#ground.folder, await this.#words('lines', 0))
    this.#durations = { list: list.ms, lines: lines.ms }
  }

  async #words(work: Work, round: number): Promise<string[]> {
    const path = join(this.#ground.folder, `${work}-${round % 2}.csv`)
    await writeFile(path, work === 'list' ? listOf(round) : linesOf(round))
    const words = work === 'list' ? ['prices', 'apply', 'listed', path] : ['invoice', 'import', path]
    return [...words, '--workspace', this.#workspace]
  }

  async round(round: number): Promise<void> {
    const work = works[round % works.length]!
    const victim = victims[Math.floor(round / works.length) % victims.length]!
    const delayMs = this.#chance.int(0, Math.ceil(this.#durations[work] * 1.1))
    const told = `round ${round}, ${victim} killed ${delayMs} ms into the ${work}`
    const words = await this.#words(work, round)
    const run = await CommandRun.start(this.#ground.folder, words)
    await sleep(delayMs)
    if (victim === 'command') run.kill()
    else await this.#killDatabase()
    const ending = await run.end()
    await this.#ground.embedded.ensureRunning()
    const left = await this.#look(work, round)
    for (const problem of judge(ending, left, expectedOf(work))) this.failures.push(`${told}: ${problem}`)
    if (left === 0) this.undone++
    else this.done++
    await runInPeace(this.#ground.folder, words)
    const after = await this.#look(work, round)
    if (after !== expectedOf(work)) this.failures.push(`${told}: after a rerun there are ${after}`)
  }

  async #killDatabase(): Promise<void> {
    const { dataFolder } = this.#ground.cluster
    const { pid } = readPostmaster(dataFolder)!
    process.kill(pid, 'SIGKILL')
    while (isServing(pid, dataFolder)) await sleep(5)
  }

  /** Our connection may not have noticed yet that its database was killed. */
  async #look(work: Work, round: number): Promise<number> {
    const { owner } = this.#ground
    for (let tries = 1; ; tries++)
      try {
        const [row] =
          work === 'list'
            ? await owner<{ count: number }[]>`
                select count(*) from price_list_key where item_key like ${`R${round}-%`}`
            : await owner<{ count: number }[]>`
                select count(distinct (i.number, l.line)) from invoice i
                join invoice_line l on l.workspace_id = i.workspace_id and l.invoice_id = i.id
                where i.number like ${`K${round}-%`}`
        return row!.count
      } catch (error) {
        if (tries === 20 || databaseTroubleOf(error) === null) throw error
        await sleep(100)
      }
  }
}

const expectedOf = (work: Work) => (work === 'list' ? itemCount : lineCount)

function judge({ status, acknowledged, err }: Ending, left: number, whole: number): string[] {
  return [
    ...(left === 0 || left === whole ? [] : [`${left} of ${whole} are visible`]),
    ...(acknowledged !== null && left !== whole ? ['it was acknowledged and is not there'] : []),
    ...(status !== 0 && status !== null && status !== 1 ? [`it ended with ${status}: ${err}`] : []),
    ...(/\n\s+at /.test(err) ? [`a stack trace: ${err}`] : []),
  ]
}

export interface PriceKillReport {
  readonly failures: readonly string[]
  readonly done: number
  readonly undone: number
}

export async function killAtPrices(ground: FolderGround, { rounds, seed, say }: LongRun): Promise<PriceKillReport> {
  const sql = openApplication(ground.target, { connections: 2 })
  const { id, slug } = await createWorkspace(ground.owner, { slug: `price-kills-${seed}` })
  const onProgress = () => {}
  await importTable(sql, id, textSource(steelPrices), { dryRun: false, upload: uploadOf(steelPrices), onProgress })
  const today = parseDay('2024-11-15')!
  for (const name of ['listed', 'billed'])
    await applyDocument(sql, { workspaceId: id, text: pricedDocument({ slug: name }), by: 'eva@editor.test', today })
  await sql.end({ timeout: 5 })
  const kills = new PriceKills(ground, slug, seed)
  await kills.measure()
  for (let round = 1; round <= rounds; round++) {
    await kills.round(round)
    if (round % 25 === 0) say(`${round} killed: ${kills.done} times done, ${kills.undone} times not`)
  }
  for (const { scope, problem } of await verifyAllChains(ground.owner))
    if (problem !== null) kills.failures.push(`the chain of ${scope}: publication ${problem.seq}: ${problem.message}`)
  return kills
}
