// The program as npm starts it: a signal for npm reaches the server, and with it its PostgreSQL. Without that a stopped
// service would leave both running.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processEnv } from '../support/clients/command-output.ts'
import { onlyLong } from '../support/run/long-form.ts'
import { copyInstallation, fillWithDemo } from '../support/run/prepared-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
let left: ChildProcess | null = null
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-npm-')))
})
afterEach(async () => {
  // If the test failed, its process group is still running.
  try {
    if (left?.pid !== undefined) process.kill(-left.pid, 'SIGKILL')
  } catch {}
  left = null
  await rm(folder, { recursive: true, force: true })
})

/** The address of the script’s server, and its npm process. */
async function start(words: readonly string[]): Promise<{ npm: ChildProcess; address: string }> {
  const npm = spawn('npm', ['run', '--silent', ...words], {
    cwd: root,
    env: { ...processEnv, PORT: '0', ASSIZE_DATA: join(folder, 'data'), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  left = npm
  let said = ''
  for await (const text of npm.stdout!.setEncoding('utf8')) {
    said += text
    const address = /"address": *"([^"]+)"/.exec(said)?.[1]
    if (address !== undefined) return { npm, address }
  }
  throw new Error(`npm run ${words.join(' ')} served nothing: ${said}`)
}

describe('a signal for npm', () => {
  const served = ['assize', '--', 'serve', '--json']
  const empty = () => copyInstallation(join(folder, 'data'))
  // Ctrl-C: the terminal signals npm and the server, and npm passes its own on.
  const interrupted = { signal: 'SIGINT', toAll: true } as const
  const interruptions = [
    { words: served, ...interrupted, prepare: empty },
    // It builds the pages first.
    { words: ['demo', '--', '--json'], ...interrupted, prepare: () => fillWithDemo(folder) },
  ]
  test.each([
    { words: served, signal: 'SIGTERM', toAll: false, prepare: empty } as const,
    ...(onlyLong('installing', 'Ctrl-C, and signals for the demo with its build') ? interruptions : []),
  ])('$signal ends the server of npm run $words.0 and its database', async ({ words, signal, toAll, prepare }) => {
    await prepare()
    const { npm, address } = await start(words)
    const running = join(folder, 'data', 'database', 'postmaster.pid')
    expect((await fetch(`${address}/v1/health`)).status).toBe(200)
    expect(existsSync(running)).toBe(true)
    const ended = once(npm, 'exit')
    process.kill(toAll ? -npm.pid! : npm.pid!, signal)
    await ended
    await expect(fetch(`${address}/v1/health`)).rejects.toThrow()
    expect(existsSync(running)).toBe(false)
  })
})
