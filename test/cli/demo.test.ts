// The demo: what is in it, that it does not change, and that every command it prints works when pasted.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { demoCommand, trialsOf } from '../../src/cli/installation/demo.ts'
import { verifyCommand } from '../../src/cli/verify/verify.ts'
import { dayOfInstant, type Instant, parseInstant } from '../../src/core/time/instant.ts'
import { type DemoAgreement, readFormula } from '../../src/demo/agreements.ts'
import { fill, newestPublication } from '../../src/demo/content.ts'
import { type Demo, makeDemo, type Place } from '../../src/demo/make.ts'
import { demoInvoices } from '../../src/demo/prices.ts'
import { demoSeries } from '../../src/demo/series.ts'
import { movingReleases, movingSeries } from '../../src/demo/waits/moving-series.ts'
import { readInvoiceFile } from '../../src/import/invoice-lines.ts'
import { providerHabits } from '../../src/providers/catalogue/catalogue.ts'
import { Library } from '../../src/read/library.ts'
import { readAgreements as readAgreementRecords } from '../../src/storage/agreements/agreement-lists.ts'
import { readAgreement, readAgreements } from '../../src/storage/agreements/agreements.ts'
import { readNewest } from '../../src/storage/log/append.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { chainKeyOf } from '../../src/storage/log/secret.ts'
import { readNewestSeen } from '../../src/storage/log/seen-entries.ts'
import { verifyPassword } from '../../src/storage/people/password.ts'
import { createMember, findSignIns, listMembers } from '../../src/storage/people/people.ts'
import { type Transaction, withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { listApiKeys, revokeApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace, renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { program } from '../support/clients/command-output.ts'
import { type Api, openApi, testSecret } from '../support/houses/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

const now = (): Instant => parseInstant(new Date().toISOString())!
const makeFolder = () => mkdtemp(join(tmpdir(), 'assize-demo-'))
const placeOf = ({ sql, owner }: Pick<TestDatabase, 'sql' | 'owner'>): Place => ({ sql, owner, secret: testSecret })

let api: Api
let place: Place
let folder: string
let demo: Demo
const madeAt = now()
beforeAll(async () => {
  api = await openApi(await openTestDatabase())
  place = placeOf(api)
  folder = await makeFolder()
  demo = await makeDemo(place, folder, madeAt)
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = async (path: string) => {
  const { status, text } = await api.ask(`/v1${path}`, { headers: { authorization: `Bearer ${demo.key}` } })
  expect(status, `${path}: ${text}`).toBe(200)
  return JSON.parse(text)
}
const seriesId = async (code: string): Promise<string> => {
  const { data } = await ask('/series?limit=200')
  return data.find((each: { seriesCode: string }) => each.seriesCode === code).id
}

describe('the series of the demo', () => {
  test('are more than a dozen, each with all of its publications', async () => {
    const { data } = await ask('/series?limit=200')
    const all = [...demoSeries, ...movingSeries(madeAt)]
    expect(data).toHaveLength(all.length)
    const vintages = await withWorkspace(place.sql, demo.workspace.id, tx => tx`select count(*)::int as n from vintage`)
    expect(vintages[0]!.n).toBe(all.flatMap(series => series.vintages).length)
    for (const { name } of data) expect(name).not.toBe('')
  })

  test('say in their names if the figures are invented', () => {
    const all = [...demoSeries, ...movingSeries(madeAt)]
    const invented = all.filter(({ description }) => description.startsWith('Invented'))
    expect(invented).not.toHaveLength(0)
    for (const { name } of all)
      expect(name.includes('(illustrative)')).toBe(invented.some(series => series.name === name))
  })

  test('answer with what was known on a day', async () => {
    const steel = await seriesId('WPU101')
    const august = '&from=2025-08-01&to=2025-08-01'
    const valueAt = async (day: string) => (await ask(`/series/${steel}/values?asOf=${day}${august}`)).data
    expect(await valueAt('2025-09-09')).toEqual([])
    expect(await valueAt('2025-12-31')).toMatchObject([{ value: '321.090', versionTag: 'PRELIMINARY' }])
    expect(await valueAt('2026-01-30')).toMatchObject([{ value: '320.719', versionTag: 'FINAL' }])
  })

  test('go from preliminary to final to revised, have gaps for unpublished figures and lose withdrawn ones', async () => {
    const labour = await seriesId('labour-metal')
    const { data } = await ask(`/series/${labour}/vintages?from=2025-01-01&to=2025-01-01`)
    expect(data.map((each: { versionTag: string }) => each.versionTag)).toEqual(['PRELIMINARY', 'FINAL', 'REVISED'])
    expect((await ask(`/series/${labour}/values?from=2026-04-01`)).data).toEqual([])
    expect((await ask(`/series/${labour}/values?from=2026-04-01&asOf=2026-09-20`)).data).toHaveLength(1)
    const consumers = await seriesId('CUUR0000SA0')
    expect((await ask(`/series/${consumers}/values?from=2025-09-01&to=2025-11-30`)).data).toMatchObject([
      { asOfDate: '2025-09-01T00:00:00.000Z', value: '324.800' },
      { asOfDate: '2025-11-01T00:00:00.000Z', value: '324.122' },
    ])
  })
})

const formulas: readonly DemoAgreement[] = ['steel-brackets', 'bridge-engineering', 'freight-surcharge', 'office-lease']

describe('what the demo waits for', () => {
  const due = async (state: string) => {
    const { status, text } = await api.ask(`/ext/v1/due?within=90d&state=${state}`, {
      headers: { authorization: `Bearer ${demo.key}` },
    })
    expect(status, text).toBe(200)
    return JSON.parse(text).data as { agreement: string; [field: string]: unknown }[]
  }

  test('is a late release, one that comes after the date, and one that comes in time', async () => {
    expect(await due('LATE')).toContainEqual(
      expect.objectContaining({
        agreement: 'long-haul',
        readyOn: null,
        waitsFor: expect.objectContaining({ series: 'FRED/DEMO-TRUCKLOAD', basis: 'DATE_ONLY' }),
      }),
    )
    expect((await due('AT_RISK')).map(({ agreement }) => agreement)).toContain('cold-storage')
  })

  test('is a cancelled month with what the trend gives in its place', async () => {
    expect(await due('READY')).toContainEqual(
      expect.objectContaining({
        ...{ agreement: 'cleaning-services', period: '2026', provisional: true },
        cancelled: [{ series: 'BLS/CUUR0000SA0', period: '2025-10', rule: 'TREND', instead: '325.604' }],
      }),
    )
  })

  test('is an index that ended, whose successor the buyer has signed and the supplier has not', async () => {
    expect((await due('BLOCKED')).map(({ agreement }) => agreement)).toContain('bonded-warehouse')
    const kept = await withWorkspace(place.sql, demo.workspace.id, tx =>
      readAgreement(tx, demo.workspace.id, 'bonded-warehouse'),
    )
    expect(kept!.changes).toMatchObject([
      { kind: 'SPLICE', ground: 'EVENT', signatures: [{ party: 'buyer', signedBy: 'ann@buyer.test' }] },
    ])
  })

  test('is late on any day, with releases ahead', () => {
    for (let day = 1; day <= 31; day++) {
      const at = parseInstant(`2027-03-${String(day).padStart(2, '0')}T12:00:00Z`)!
      const [truckload] = movingSeries(at)
      const [first, ...ahead] = movingReleases(at).filter(({ release }) => release === 'demo-truckload')
      expect(truckload!.vintages.at(-1)!.publishedAt < at).toBe(true)
      expect(first!.at < at.slice(0, 10), `${first!.at} on ${at}`).toBe(true)
      expect(ahead.some(release => release.at > at.slice(0, 10))).toBe(true)
    }
  })
})

describe('the formulas of the demo', () => {
  test('are valid: applied again they change nothing, and there are no warnings', async () => {
    for (const name of formulas) {
      const text = await readFormula(name)
      const today = dayOfInstant(newestPublication())
      const request = { workspaceId: demo.workspace.id, text, by: 'a test', today, habits: providerHabits }
      const applied = await applyDocument(place.sql, request)
      expect(applied, name).toMatchObject({ outcome: 'unchanged', warnings: [] })
    }
  })

  test('compute every period up to the newest figures, and the newest waits to be signed', async () => {
    const newest: Readonly<Record<string, object>> = {
      'steel-brackets': { period: '2026-Q3', adjustmentPct: 3.23, dataVersion: 'PRELIMINARY', formulaVersion: 1 },
      'bridge-engineering': { period: '2026', cumulativeAdjustmentPct: 5.6, dataVersion: 'FINAL' },
      'freight-surcharge': { period: '2026-10', cumulativeAdjustmentPct: 38, dataVersion: 'FINAL' },
      'office-lease': { period: '2026', adjustmentPct: 3.15, dataVersion: 'FINAL', formulaVersion: 2 },
    }
    const counts: Readonly<Record<string, number>> = {
      'steel-brackets': 6,
      'bridge-engineering': 3,
      'freight-surcharge': 20,
      'office-lease': 5,
    }
    for (const name of formulas) {
      const adjustment = await ask(`/pams/${name}/adjustment`)
      expect(adjustment, name).toMatchObject({ ...newest[name], confirmed: { buyer: null, supplier: null } })
      expect((await ask(`/pams/${name}/values`)).data, name).toHaveLength(counts[name]!)
    }
  })

  test('show threshold, cap, floor and ceiling at work', async () => {
    const controls = async (name: string, period: string) => {
      const { adjustments } = await ask(`/pams/${name}/adjustment?period=${period}&view=calculation`)
      return adjustments[0].controls.map((each: { control: string }) => each.control)
    }
    expect(await controls('steel-brackets', '2025-Q2')).toContain('threshold')
    expect(await controls('steel-brackets', '2025-Q3')).toContain('periodCap')
    expect(await controls('office-lease', '2022')).toContain('periodCap')
    expect(await controls('office-lease', '2025')).toContain('periodFloor')
    const { adjustments } = await ask('/pams/bridge-engineering/adjustment?period=2024&view=calculation')
    expect(adjustments[0].steps).toContainEqual({ name: 'factor', value: '1.022' })
    expect(adjustments[0].price).toBe('190092.00')
  })

  test('keep what both signed although a later figure gives another number', async () => {
    const path = '/pams/steel-brackets/adjustment?period=2025-Q4'
    const signed = await ask(path)
    expect(signed).toMatchObject({ adjustmentPct: 2.51, dataVersion: 'PRELIMINARY' })
    expect(signed.confirmed.buyer).toMatch(/^\d{4}-/)
    expect(signed.confirmed.supplier).toBe(signed.confirmed.buyer)
    expect(await ask(`${path}&asOf=2026-06-30`)).toMatchObject({ adjustmentPct: 2.46, dataVersion: 'FINAL' })
  })

  test('have a period that only the buyer has signed', async () => {
    const { confirmed } = await ask('/pams/steel-brackets/adjustment?period=2026-Q2')
    expect(confirmed).toEqual({ buyer: expect.any(String), supplier: null })
  })
})

describe('the invoices of the demo', () => {
  test('have five mistakes among right lines, each of which the check finds', async () => {
    const options = { bounds: null, sheet: null, mostLines: 1_000 }
    const { lines, problems } = await readInvoiceFile(demoInvoices, options)
    expect(problems).toEqual([])
    const library = new Library(place.sql, 64 * 1024 * 1024, { seals: new Seal(place.secret).rows, report: () => {} })
    const until = dayOfInstant(newestPublication())
    const { data, summary } = await library.prices.check(demo.workspace.id, lines, { knownAt: null, until })
    const wrong = data.filter(({ outcome }) => outcome !== 'OK')
    expect(wrong.map(({ item, outcome, reason }) => [item, outcome, reason?.code])).toEqual([
      ['BR-100', 'OVER', 'PERIOD_BEFORE'],
      ['BR-100', 'OVER', 'QUANTITY_STEP'],
      ['BR-120', 'OVER', 'LAG'],
      ['BR-300', 'OVER', 'PER'],
      ['SAV-ATL', 'OVER', 'OTHER_ITEM'],
    ])
    expect(summary).toEqual({
      lines: 22,
      outcomes: { OK: 17, OVER: 5 },
      over: { EUR: '44794.60', USD: '52.46' },
      under: {},
    })
    // In addition, the lines of the two agreements that are corrected.
    expect(await library.prices.lines(demo.workspace.id, { pamIds: null, most: 100 })).toHaveLength(lines.length + 3)
  })
})

describe('the corrections of the demo', () => {
  test('are of two agreements that a final figure affected: one is signed by both, one waits for the supplier', async () => {
    const library = new Library(place.sql, 64 * 1024 * 1024, { seals: new Seal(place.secret).rows, report: () => {} })
    const time = { knownAt: null, until: dayOfInstant(newestPublication()) }
    const list = async (agreement: string) => (await library.corrections.list(demo.workspace.id, agreement, time))!
    expect(await list('steel-tubes')).toMatchObject([{ state: 'AGREED', net: '-200.00' }])
    expect(await list('rack-frames')).toMatchObject([{ state: 'SIGNED_BY_BUYER', net: '-55.68' }])
    const until = await withWorkspace(place.sql, demo.workspace.id, tx => readNewestSeen(tx, demo.workspace.id))
    const question = { since: '2026-01-01T00:00:00.000000Z', until, day: time.until, pamId: null }
    const rows = (await library.radar.read(demo.workspace.id, question)).map(({ row }) => row)
    const corrected = rows.filter(({ amount }) => amount !== null)
    expect(corrected.map(({ kind, agreement, amount }) => `${kind} ${agreement} ${amount}`)).toEqual([
      'SIGNED_MOVED steel-tubes -200.00',
      'SIGNED_MOVED rack-frames -55.68',
    ])
  })
})

describe('the demo at the size of a portfolio', () => {
  test('has so many agreements of five suppliers, in every state, and completes what is missing', async () => {
    const database = await openTestDatabase()
    const ours = await makeFolder()
    try {
      const where = placeOf(database)
      const make = (agreements: number) => makeDemo(where, ours, now(), { agreements, onProgress: () => {} })
      const first = await make(23)
      const { id } = first.workspace
      const idsIn = async (tx: Transaction) => (await readAgreementRecords(tx, id)).map(each => each.id)
      const kept = () => withWorkspace(where.sql, id, async tx => readAgreements(tx, id, await idsIn(tx)))
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
      await rm(ours, { recursive: true, force: true })
    }
  })
})

describe('starting the demo', () => {
  test('finds it again after it was renamed', async () => {
    const by = { who: 'olga@demo.test', fromAddress: null }
    await renameWorkspace(place.sql, demo.workspace.id, 'Another name', by)
    expect((await makeDemo(place, folder, now())).workspace).toMatchObject({ id: demo.workspace.id, slug: 'demo' })
    await renameWorkspace(place.sql, demo.workspace.id, demo.workspace.name, by)
  })

  const stateOf = async (where: Place, { workspace }: Demo) => ({
    newest: await readNewest(where.sql, [workspace.id]),
    keys: (await listApiKeys(where.sql, workspace.id)).map(({ id }) => id),
    members: await listMembers(where.sql, workspace.id),
  })

  test('a second time adds nothing and gives the same key and sign-ins', async () => {
    const before = await stateOf(place, demo)
    const again = await makeDemo(place, folder, now())
    expect(again).toEqual({ ...demo, isNew: false })
    expect(await stateOf(place, demo)).toEqual(before)
  })

  test('keeps key and passwords in one file that only its owner may read, and they work', async () => {
    const files = (await readdir(folder)).filter(name => name.endsWith('.json'))
    expect(files).toEqual([`demo-${demo.workspace.id}.json`])
    if (process.platform !== 'win32') expect((await stat(join(folder, files[0]!))).mode & 0o777).toBe(0o600)
    expect(demo.workspace.rateLimit).toBe(60)
    for (const { email, password, role } of demo.signIns) {
      const [signIn] = await findSignIns(place.sql, email)
      expect(await verifyPassword(signIn!.passwordHash, password!), `${email}, ${role}`).toBe(true)
    }
  })

  test('completes what was interrupted', async () => {
    const database = await openTestDatabase()
    const ours = await makeFolder()
    try {
      const where = placeOf(database)
      const workspace = await createWorkspace(database.owner, { slug: 'demo', name: 'Demo GmbH' })
      for (const { email, name, role } of demo.signIns)
        await createMember(database.sql, workspace.id, { email, name, role })
      class Breaking extends RowSeals {
        #left = 18
        override seal(...row: Parameters<RowSeals['seal']>) {
          if (this.#left-- === 0) throw new Error('power cut')
          return super.seal(...row)
        }
      }
      const seal = Object.assign(new Seal(testSecret), { rows: new Breaking(chainKeyOf(testSecret)) })
      const broken = fill({ sql: database.sql, seal, workspaceId: workspace.id }, now())
      await expect(broken).rejects.toThrow('power cut')
      const made = await makeDemo(where, ours, now())
      expect(made.isNew).toBe(true)
      expect(made.signIns.every(({ password }) => password !== null)).toBe(true)
      const signOffs = async ({ sql }: Place, { workspace: { id } }: Demo) =>
        withWorkspace(sql, id, async tx => {
          const kept = await Promise.all(formulas.map(name => readAgreement(tx, id, name)))
          return kept.map(agreement => ({
            versions: agreement!.formulas.map(({ version }) => version),
            signed: agreement!.signOffs.map(({ period, party, signedBy }) => [period, party, signedBy]),
          }))
        })
      expect(await signOffs(where, made)).toEqual(await signOffs(place, demo))
    } finally {
      await database.close()
      await rm(ours, { recursive: true, force: true })
    }
  })

  test('creates a new key if the old one was revoked, and shows no unknown password', async () => {
    const others = await makeFolder()
    try {
      const [key] = await listApiKeys(place.sql, demo.workspace.id)
      await revokeApiKey(place.sql, demo.workspace.id, key!.id)
      const second = await makeDemo(place, folder, now())
      expect(second.key).not.toBe(demo.key)
      expect(second.signIns).toEqual(demo.signIns)
      demo = second
      const elsewhere = await makeDemo(place, others, now())
      expect(elsewhere.signIns.map(({ password }) => password)).toEqual([null, null, null, null])
      expect(elsewhere.isNew).toBe(false)
    } finally {
      await rm(others, { recursive: true, force: true })
    }
  })

  test('refuses a clock earlier than its figures, and a workspace that is not its own', async () => {
    const database = await openTestDatabase()
    const ours = await makeFolder()
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
    const terminal = {
      ...{ out: (text: string) => out.push(text), err: (text: string) => out.push(text) },
      ...{ isTerminal: false, columns: 100, env: {} },
    }
    expect(await verifyCommand.run({ positionals: [path], options: {}, json: false, terminal }), out.join('')).toBe(0)
    return
  }
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  const text = await answer.text()
  expect(answer.status, `${line}\n${text}`).toBe(200)
  if (file !== undefined) await writeFile(join(place, file), text)
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
    const lines = trialsOf(demo, `http://127.0.0.1:${api.client.port}`).flatMap(trial => trial.lines)
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) await paste(line, folder)
  })

  test('are printed by the command, which starts from nothing and stops on a signal', async () => {
    const data = await makeFolder()
    const start = () => {
      const env = { ...process.env, DATABASE_URL: '', ASSIZE_DATA: data, PORT: '0', LOG_LEVEL: '' }
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
      expect(lines).toHaveLength(6)
      for (const line of lines) await paste(line.trim(), data)
      await signInAsPrinted(screen)
      await stop(first)
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
