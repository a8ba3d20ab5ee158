// F6: the database is on a small disk that is filled up while files are imported and clients read. An import without enough
// space fails with one line and leaves nothing; reads continue; once there is space the same file is imported completely;
// nothing is lost.
import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dayOf, formatDay } from '../../src/core/time/day.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import { CommandRun, runInPeace } from './command-run.ts'
import { type FolderGround, openFolderGround } from './grounds.ts'
import { firstGood, Load, prepareGolden } from './load.ts'
import { type ServedProcess, serveFolder } from './served-process.ts'

const execute = promisify(execFile)
const megabyte = 1024 * 1024
/** A disk in memory, which uses only as much as is written. */
const diskMb = 1_000
const rowsPerFile = 60_000
const rowsPerSeries = 10_000
/** Importing a file takes some 30 MB: with this much left, none, some or all of its steps succeed. */
const leftMb = { least: 1, most: 34 }
const clients = 3
const backWithinMs = 120_000

/** A separate disk, or the reason why there is none: mounting needs root on Linux. */
export type SmallDisk = { readonly folder: string; remove(): Promise<void> } | { readonly refused: string }

export async function mountSmallDisk(): Promise<SmallDisk> {
  if (process.platform !== 'linux') return { refused: `tmpfs is not there on ${process.platform}` }
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-disk-')))
  try {
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m,mode=711`, 'tmpfs', folder])
  } catch (error) {
    await rm(folder, { recursive: true })
    return { refused: (error as Error).message.trim().split('\n').at(-1)! }
  }
  return {
    folder,
    async remove() {
      await execute('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}

export interface DiskReport {
  readonly failures: readonly string[]
  readonly asked: number
  readonly unavailable: number
  /** Imports without enough space, and those that succeeded. */
  readonly refused: number
  readonly taken: number
  /** How often the database itself stopped for lack of space. */
  readonly falls: number
}

class SmallDiskTrial {
  readonly failures: string[] = []
  refused = 0
  taken = 0
  falls = 0
  readonly #ground: FolderGround
  readonly #disk: string
  readonly #workspace: string
  readonly #load: Load
  #whole = ''

  constructor(ground: FolderGround, disk: string, workspace: string, load: Load) {
    this.#ground = ground
    this.#disk = disk
    this.#workspace = workspace
    this.#load = load
  }

  /** What a file leaves when there is enough space. */
  async measure(): Promise<void> {
    await runInPeace(this.#ground.folder, this.#words(await this.#write(0)))
    this.#whole = await this.#look(0)
  }

  async round(round: number, left: number): Promise<void> {
    const told = `round ${round}, ${left} MB left`
    const path = await this.#write(round)
    const before = this.#ground.embedded.pid
    const ballast = await this.#fill(left)
    const { status, acknowledged, err } = await (await CommandRun.start(this.#ground.folder, this.#words(path))).end()
    if (status === 0) this.taken++
    else this.refused++
    const visible = await this.#look(round).catch(() => null)
    await rm(ballast)
    await this.#ground.embedded.ensureRunning()
    if (this.#ground.embedded.pid !== before) this.falls++
    const seen = visible ?? (await this.#look(round))
    const isRight = status === 0 ? seen === this.#whole : seen === '' && acknowledged === null
    if (!isRight) this.failures.push(`${told}: status ${status}, and visible is ${seen || 'nothing'}`)
    if (
      status !== 0 &&
      !/^assize: the (disk of the database is full|connection to the database was lost)[^\n]*\n$/.test(err)
    )
      this.failures.push(`${told}: the import says ${err}`)
    const backMs = await firstGood(this.#load, performance.now())
    if (backMs > backWithinMs) this.failures.push(`${told}: no good answer ${backMs} ms after there was room again`)
    await runInPeace(this.#ground.folder, this.#words(path))
    if ((await this.#look(round)) !== this.#whole)
      this.failures.push(`${told}: with room again there is ${await this.#look(round)}`)
    // Frees the disk space held by the log of the database.
    await this.#ground.owner`checkpoint`
  }

  /** The files of all rounds are there, each once, and the chains are intact. */
  async check(rounds: number): Promise<void> {
    for (let round = 0; round <= rounds; round++)
      if ((await this.#look(round)) !== this.#whole) this.failures.push(`in the end round ${round} is not there`)
    for (const { scope, problem } of await verifyAllChains(this.#ground.owner))
      if (problem !== null) this.failures.push(`the chain of ${scope}: ${problem.message}`)
  }

  #words(path: string): string[] {
    return ['import', path, '--workspace', this.#workspace]
  }

  /** Outside the small disk, which may not have space for it. */
  async #write(round: number): Promise<string> {
    const path = `${this.#disk}.csv`
    const first = dayOf(1990, 1, 1)
    const rows = Array.from({ length: rowsPerFile }, (_, i) => {
      const day = formatDay(first + (i % rowsPerSeries))
      return `CUSTOM/full-${round}-${Math.floor(i / rowsPerSeries)},${day},${100 + (i % 97)}.25,${day}T12:00:00Z`
    })
    await writeFile(path, `series,period,value,published\n${rows.join('\n')}\n`)
    return path
  }

  async #fill(left: number): Promise<string> {
    const path = join(this.#disk, 'ballast')
    const { bavail, bsize } = await statfs(this.#disk)
    await execute('fallocate', ['-l', `${Math.max(1, bavail * bsize - left * megabyte)}`, path])
    return path
  }

  /** The vintages and content hashes of a round's series; empty where there is none. */
  async #look(round: number): Promise<string> {
    const rows = await this.#ground.owner<{ told: string }[]>`
      select (select count(*) from vintage v where v.owner = s.owner and v.series_id = s.id) || ' '
        || array_to_string(array(select encode(p.content_hash, 'hex') from publication p
          where p.scope = s.owner and p.subject = s.id and p.kind = 'observations'), ' ') as told
      from series s where s.code like ${`full-${round}-%`} order by s.code`
    return rows.map(({ told }) => told).join(', ')
  }
}

export async function fillDisk(folder: string, { rounds, seed, say }: LongRun): Promise<DiskReport> {
  const ground = await openFolderGround(folder)
  let server: ServedProcess | null = null
  try {
    const golden = await prepareGolden(ground)
    await createWorkspace(ground.owner, { slug: 'filling' })
    server = await serveFolder(ground.folder, { env: { LOG_LEVEL: 'warn' } })
    const load = new Load(server, golden)
    const trial = new SmallDiskTrial(ground, folder, 'filling', load)
    await trial.measure()
    const chance = new Chance(seed)
    const asking = Array.from({ length: clients }, (_, i) => load.ask(new Chance(seed + i)))
    try {
      for (let round = 1; round <= rounds; round++) {
        // The first certainly has too little space.
        await trial.round(round, round === 1 ? leftMb.least : chance.int(leftMb.least, leftMb.most))
        say(`${round}: ${trial.refused} imports without room, ${trial.taken} with it, ${trial.falls} falls`)
      }
    } finally {
      load.stop()
      await Promise.all(asking)
    }
    await trial.check(rounds)
    const unavailable = load.seen.filter(({ reply }) => reply?.status === 503).length
    const failures = [
      ...trial.failures,
      ...new Set(load.seen.flatMap(({ problem }) => (problem === null ? [] : [problem]))),
    ]
    if (unavailable > 0 && trial.falls === 0)
      failures.push(`${unavailable} reads were refused although the database stood`)
    if (!server.isAlive()) failures.push(`the server ended: ${server.log().slice(-2_000)}`)
    const { refused, taken, falls } = trial
    return { failures, asked: load.seen.length, unavailable, refused, taken, falls }
  } finally {
    await server?.stop()
    await ground.close()
    await rm(`${folder}.csv`, { force: true })
  }
}
