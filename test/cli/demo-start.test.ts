// The demo: that it does not change when it is started again, at any size, and that every command it prints works when pasted.
import { spawn } from 'node:child_process'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { terminalOn } from '../../src/cli/frame/command.ts'
import { demoCommand, trialsOf } from '../../src/cli/installation/demo.ts'
import { verifyCommand } from '../../src/cli/verify/verify.ts'
import { parseInstant } from '../../src/core/time/instant.ts'
import { fill } from '../../src/demo/content.ts'
import { type Demo, type DemoInstallation, makeDemo } from '../../src/demo/make.ts'
import { loadAgreementSummaries } from '../../src/storage/agreements/agreement-lists.ts'
import { loadAgreementHistories, loadAgreementHistory } from '../../src/storage/agreements/agreements.ts'
import { loadNewest } from '../../src/storage/log/append.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { verifyPassword } from '../../src/storage/people/password.ts'
import { createMember, findSignIns, listMembers } from '../../src/storage/people/people.ts'
import { type Transaction, withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { listApiKeys, revokeApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace, renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { processEnv, program } from '../support/clients/command-output.ts'
import { makeTestRing } from '../support/houses/api.ts'
import { demoFormulas, demoHouse, makeDemoFolder, now, placeOf } from '../support/houses/demo-house.ts'
import { onlyLong } from '../support/run/long-form.ts'
import { longTest } from '../support/run/long-test.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { openMadeDemo } from '../support/run/prepared-database.ts'

const house = demoHouse()

describe('the demo at the size of a portfolio', () => {
  test('has so many agreements of five suppliers, in every state, and completes what is missing', async () => {
    const copied = await makeDemoFolder()
    const database = await openMadeDemo(copied)
    const ours = join(copied, 'data')
    try {
      const where = placeOf(database)
      const make = (agreements: number) => makeDemo(where, ours, now(), { agreements, onProgress: () => {} })
      const first = await make(23)
      const { id } = first.workspace
      const idsIn = async (tx: Transaction) => (await loadAgreementSummaries(tx, id)).map(each => each.id)
      const kept = () => withWorkspace(where.sql, id, async tx => loadAgreementHistories(tx, id, await idsIn(tx)))
      const before = await kept()
      expect(before).toHaveLength(23)
      expect(new Set(before.map(({ states }) => JSON.stringify(states.at(-1)!.parties.supplier))).size).toBe(9)
      expect(before.filter(({ corrections }) => corrections.length > 0).length).toBeGreaterThan(2)
      expect(before.filter(({ objections }) => objections.length > 0)).toHaveLength(1)
      expect(await make(23)).toEqual({ ...first, isNew: false })
      expect(await kept()).toEqual(before)
      const larger = await make(28)
      expect(await kept()).toHaveLength(28)
      expect((await makeDemo(where, ours, now())).signIns).toEqual(larger.signIns)
      expect(larger.signIns.filter(({ role }) => role === 'supplier')).toHaveLength(5)
      expect((await verifyChain(where.sql, id)).problem).toBeNull()
    } finally {
      await database.close()
      await rm(copied, { recursive: true, force: true })
    }
  })
})

describe('starting the demo', () => {
  test('finds it again after it was renamed', async () => {
    const by = { who: 'olga@demo.test', fromAddress: null }
    await renameWorkspace(house.place.sql, house.demo.workspace.id, 'Another name', by)
    expect((await makeDemo(house.place, house.folder, now())).workspace).toMatchObject({
      id: house.demo.workspace.id,
      slug: 'demo',
    })
    await renameWorkspace(house.place.sql, house.demo.workspace.id, house.demo.workspace.name, by)
  })

  const stateOf = async (where: DemoInstallation, { workspace }: Demo) => ({
    newest: await loadNewest(where.sql, [workspace.id]),
    keys: (await listApiKeys(where.sql, workspace.id)).map(({ id }) => id),
    members: await listMembers(where.sql, workspace.id),
  })

  test('a second time adds nothing and gives the same key and sign-ins', async () => {
    const before = await stateOf(house.place, house.demo)
    const again = await makeDemo(house.place, house.folder, now())
    expect(again).toEqual({ ...house.demo, isNew: false })
    expect(await stateOf(house.place, house.demo)).toEqual(before)
  })

  test('keeps key and passwords in one file that only its owner may read, and they work', async () => {
    const files = (await readdir(house.folder)).filter(name => name.endsWith('.json'))
    expect(files).toEqual([`demo-${house.demo.workspace.id}.json`])
    if (process.platform !== 'win32') expect((await stat(join(house.folder, files[0]!))).mode & 0o777).toBe(0o600)
    expect(house.demo.workspace.rateLimit).toBe(60)
    for (const { email, password, role } of house.demo.signIns) {
      const [signIn] = await findSignIns(house.place.sql, email)
      expect(await verifyPassword(signIn!.passwordHash, password!), `${email}, ${role}`).toBe(true)
    }
  })

  test('completes what is missing wherever it stopped: each step changes nothing a second time', async () => {
    const { sql, owner } = house.place
    const { id } = house.demo.workspace
    const newest = (await loadNewest(sql, [id])).get(id)!
    await fill({ sql, seal: new Seal(makeTestRing()), workspaceId: id }, now())
    // That its figures were read again is noted, and nothing else.
    const added = await owner`
      select kind, subject from publication where scope = ${id} and seq > ${newest} and kind <> 'upload'`
    expect(added).toEqual([])
  })

  longTest('installing', 'completes what was interrupted', async () => {
    const database = await openTestDatabase()
    const ours = await makeDemoFolder()
    try {
      const where = placeOf(database)
      const workspace = await createWorkspace(database.owner, { slug: 'demo', name: 'Demo GmbH' })
      for (const { email, name, role } of house.demo.signIns)
        await createMember(database.sql, workspace.id, { email, name, role })
      class Breaking extends RowSeals {
        #left = 18
        override seal(...row: Parameters<RowSeals['seal']>) {
          if (this.#left-- === 0) throw new Error('power cut')
          return super.seal(...row)
        }
      }
      const seal = Object.assign(new Seal(makeTestRing()), { rows: new Breaking(makeTestRing()) })
      const broken = fill({ sql: database.sql, seal, workspaceId: workspace.id }, now())
      await expect(broken).rejects.toThrow('power cut')
      const made = await makeDemo(where, ours, now())
      expect(made.isNew).toBe(true)
      expect(made.signIns.every(({ password }) => password !== null)).toBe(true)
      const signOffs = async ({ sql }: DemoInstallation, { workspace: { id } }: Demo) =>
        withWorkspace(sql, id, async tx => {
          const kept = await Promise.all(demoFormulas.map(name => loadAgreementHistory(tx, id, name)))
          return kept.map(agreement => ({
            versions: agreement!.versions.map(({ version }) => version),
            signed: agreement!.signOffs.map(({ period, party, signedBy }) => [period, party, signedBy]),
          }))
        })
      expect(await signOffs(where, made)).toEqual(await signOffs(house.place, house.demo))
    } finally {
      await database.close()
      await rm(ours, { recursive: true, force: true })
    }
  })

  test('creates a new key if the old one was revoked, and shows no unknown password', async () => {
    const others = await makeDemoFolder()
    try {
      const [key] = await listApiKeys(house.place.sql, house.demo.workspace.id)
      await revokeApiKey(house.place.sql, house.demo.workspace.id, key!.id)
      const second = await makeDemo(house.place, house.folder, now())
      expect(second.key).not.toBe(house.demo.key)
      expect(second.signIns).toEqual(house.demo.signIns)
      house.demo = second
      const elsewhere = await makeDemo(house.place, others, now())
      expect(elsewhere.signIns.map(({ password }) => password)).toEqual([null, null, null, null])
      expect(elsewhere.isNew).toBe(false)
    } finally {
      await rm(others, { recursive: true, force: true })
    }
  })

  test('refuses a clock earlier than its figures, and a workspace that is not its own', async () => {
    const database = await openTestDatabase()
    const ours = await makeDemoFolder()
    try {
      const where = placeOf(database)
      await expect(makeDemo(where, ours, parseInstant('2026-08-01T00:00:00Z')!)).rejects.toThrow(
        "the clock says 2026-08-01, but the demo's figures go to 2026-10-06",
      )
      await createWorkspace(database.owner, { slug: 'demo', name: 'Somebody else' })
      await expect(makeDemo(where, ours, now())).rejects.toThrow(
        `the workspace "demo" (Somebody else) is not the demo's`,
      )
    } finally {
      await database.close()
      await rm(ours, { recursive: true, force: true })
    }
  })
})

const curlLine = /^curl -sH "Authorization: Bearer (\S+)" "(\S+)"(?: > (\S+))?$/

/** Does what a shell would do with a printed line; only the location of the file is ours. */
async function paste(line: string, place: string): Promise<void> {
  const [, key, address, file] = curlLine.exec(line) ?? []
  if (address === undefined) {
    const path = join(place, /^npm run --silent assize -- verify (\S+)$/.exec(line)![1]!)
    const out: string[] = []
    const terminal = terminalOn({
      out: (text: string) => out.push(text),
      err: (text: string) => out.push(text),
      isTerminal: false,
      columns: 100,
      env: {},
    })
    expect(await verifyCommand.run({ positionals: [path], options: {}, json: false, terminal }), out.join('')).toBe(0)
    return
  }
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  const text = await answer.text()
  expect(answer.status, `${line}\n${text}`).toBe(200)
  if (file !== undefined) await writeFile(join(place, file), text)
}

/** The page that it says to open, with every file that the page loads. */
async function openPage(screen: string): Promise<void> {
  const [address] = /http:\/\/localhost:\d+/.exec(screen)!
  const page = await (await fetch(address)).text()
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file!)
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) expect((await fetch(`${address}${file}`)).status, file).toBe(200)
}

/** Every printed sign-in works, at the printed address. */
async function signInAsPrinted(screen: string): Promise<void> {
  const address = /^ {2}sign in at {2}(http:\/\/\S+)\/sign-in$/m.exec(screen)![1]!
  const found = [...screen.matchAll(/^ {14}(owner|buyer|supplier) +(\S+@\S+\.test) +([a-z0-9-]{19})$/gm)]
  expect(found.map(([, role]) => role).sort()).toEqual(['buyer', 'owner', 'supplier', 'supplier'])
  for (const [, role, email, password] of found) {
    const answer = await fetch(`${address}/console/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify({ email, password }),
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { person: { email }, workspaces: [{ slug: 'demo', role }] },
    ])
  }
}

describe('the lines of the demo', () => {
  test('all work when pasted', async () => {
    const lines = trialsOf(house.demo, `http://127.0.0.1:${house.api.client.port}`).flatMap(trial => trial.lines)
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) await paste(line, house.folder)
  })

  test('are printed by the command, which starts from nothing and stops on a signal', async () => {
    const data = await makeDemoFolder()
    const start = () => {
      const env = { ...processEnv, ASSIZE_DATA: data, PORT: '0' }
      const child = spawn(process.execPath, [program, demoCommand.name], { env })
      const [out, err]: [string[], string[]] = [[], []]
      child.stdout.on('data', chunk => out.push(String(chunk)))
      child.stderr.on('data', chunk => err.push(String(chunk)))
      const ended = new Promise<number | null>(resolve => child.on('exit', resolve))
      const ready = new Promise<string>((resolve, reject) => {
        child.stdout.on('data', () => out.join('').includes('Ctrl-C') && resolve(out.join('')))
        ended.then(status => reject(new Error(`ended with ${status}: ${err.join('')}`)))
      })
      return { child, ready, ended, err }
    }
    const stop = async ({ child, ended, err }: ReturnType<typeof start>) => {
      child.kill('SIGINT')
      expect(await ended, err.join('')).toBe(0)
      expect(err.join('')).toBe('')
    }
    try {
      const first = start()
      const screen = await first.ready
      const lines = screen.split('\n').filter(line => /^ {2}(?:curl|npm)/.test(line))
      expect(lines).toHaveLength(7)
      for (const line of lines) await paste(line.trim(), data)
      await signInAsPrinted(screen)
      await openPage(screen)
      await stop(first)
      // That it finds everything again is shown above, without its process.
      if (!onlyLong('installing', 'the demo started again by its command')) return
      const second = start()
      const withoutPort = (text: string) => text.replace(/localhost:\d+/g, 'localhost')
      const again = await second.ready
      expect(withoutPort(again)).toBe(withoutPort(screen))
      const [curl = ''] = again.split('\n').filter(line => line.startsWith('  curl'))
      await paste(curl.trim(), data)
      await stop(second)
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  })
})
