// An installation for tests of commands, on the one PostgreSQL of the run: commands are run in this process with a
// terminal that remembers what was written, or spawned as the real program. Workspaces are the test's own.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Screen } from '../../../src/cli/frame/command.ts'
import { runWords } from '../../../src/cli/program.ts'
import { Installation } from '../../../src/storage/upkeep/installation.ts'
import { createWorkspace, type Workspace } from '../../../src/storage/workspaces/workspaces.ts'
import { processEnv, program } from '../clients/command-output.ts'
import { openTestDatabase, testSecret } from '../run/postgres.ts'
import { openInstallation } from '../run/prepared-folder.ts'

export interface Outcome {
  readonly status: number
  readonly out: string
  readonly err: string
}

export interface CommandHouse {
  readonly env: Readonly<Record<string, string>>
  readonly installation: Installation
  /** Runs the command in this process. `isTerminal`: as for a person at a terminal. */
  run(words: readonly string[], isTerminal?: boolean): Promise<Outcome>
  /** Spawns the real program. */
  spawn(words: readonly string[], input?: string): Promise<Outcome>
  makeWorkspace(): Promise<Workspace>
  /** The path of a new file. */
  write(name: string, content: string | Buffer): Promise<string>
  close(): Promise<void>
}

/** For `beforeAll`. With `apart`, a data folder of its own instead of the shared server. */
export async function openCommandHouse(apart: 'apart' | 'shared' = 'shared'): Promise<CommandHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-cli-'))
  // On a server of somebody else, a database of its own; on the shared one, that of the installation.
  const hasServer = (process.env.TEST_DATABASE_URL ?? '') !== ''
  const database = apart === 'shared' && hasServer ? await openTestDatabase() : null
  const url = database !== null && 'url' in database.target ? database.target.url : null
  const secret = url === null ? null : testSecret
  const dataFolder = apart === 'apart' ? join(folder, 'data') : inject('postgresFolder')
  const env: Record<string, string> =
    url === null ? { ASSIZE_DATA: dataFolder } : { DATABASE_URL: url, ASSIZE_SECRET: secret! }
  const installation =
    apart === 'apart'
      ? await openInstallation(dataFolder)
      : await Installation.open({ dataFolder, databaseUrl: url, secrets: secret === null ? null : [secret] })
  let files = 0
  return {
    env,
    installation,
    run: (words, isTerminal = false) => runCommand(words, env, isTerminal),
    spawn: (words, input = '') => spawnProgram(words, env, input),
    makeWorkspace: () => createWorkspace(installation.owner, { slug: `w-${randomBytes(6).toString('hex')}` }),
    async write(name, content) {
      const path = join(folder, `${++files}-${name}`)
      await writeFile(path, content)
      return path
    },
    async close() {
      await installation.close()
      await database?.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What assize.ts does with the words, without its process. */
export async function runCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  isTerminal = false,
): Promise<Outcome> {
  let [out, err] = ['', '']
  const screen: Screen = {
    out: text => {
      out += text
    },
    err: text => {
      err += text
    },
    isTerminal,
    columns: 100,
    env,
  }
  return { status: await runWords(words, screen), out, err }
}

/** The real program, as a process of its own. */
export function spawnProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string,
): Promise<Outcome> {
  const child = spawn(process.execPath, [program, ...words], { env: { ...processEnv, ...env } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', status => resolve({ status: status ?? -1, out, err }))
  })
}
