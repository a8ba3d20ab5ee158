import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { EmbeddedPostgres } from '../../src/storage/embedded/embedded.ts'
import { openOwner } from '../../src/storage/postgres/database.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { openCommandHouse, runCommand } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { someOf } from '../support/run/long-form.ts'
import { copyEmptyDatabase } from '../support/run/prepared-folder.ts'

let steel: Workspace
let fuel: Workspace
const house = ownHouse(() => openCommandHouse('apart'))
beforeAll(async () => {
  steel = await house.makeWorkspace()
  fuel = await house.makeWorkspace()
  for (const { slug } of [steel, fuel]) {
    const rows = Array.from({ length: 50 }, (_, i) => `CUSTOM/a,${1970 + i},${i}.5,2024-01-0${1 + (i % 9)},f|${i}`)
    const path = await house.write('t.csv', `series,period,value,published,flag\n${rows.join('\n')}\n`)
    await house.run(['import', path, '--workspace', slug])
  }
  const revised = await house.write('r.csv', 'series,period,value\nCUSTOM/a,1970,7\nCUSTOM/b,2024-01,1\n')
  await house.run(['import', revised, '--workspace', steel.slug])
})

const verify = (...words: string[]) => house.run(['verify', '--chain', ...words])

/** As the owner with the triggers switched off: what an operator could do. The change is undone afterwards. */
async function afterEdit(edit: string, check: () => Promise<void>): Promise<void> {
  const { owner } = house.installation
  const backup = openOwner(house.installation.target, { connections: 1 })
  await backup`create temporary table kept as select * from vintage`
  await owner.unsafe('alter table vintage disable trigger user')
  try {
    await owner.unsafe(edit)
    await check()
  } finally {
    await backup.unsafe('delete from vintage; insert into vintage select * from kept; drop table kept')
    await owner.unsafe('alter table vintage enable trigger user')
    await backup.end()
  }
}

describe('verify --chain', () => {
  test('verifies every chain and reports that it is unchanged, with its tree', async () => {
    const { status, out, err } = await verify()
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines).toContainEqual(expect.stringMatching(/^same: public series, 0 publications, tree [0-9a-f]{64}$/))
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^same: ${steel.slug}, 7 publications, tree`)))
    const one = await verify('--workspace', fuel.slug, '--json')
    expect(JSON.parse(one.out)).toEqual({
      same: true,
      log: null,
      chains: [
        {
          chain: fuel.slug,
          publications: 3,
          redacted: 0,
          problem: null,
          agreements: [],
          root: expect.stringMatching(/^[0-9a-f]{64}$/),
          access: { entries: expect.any(Number), head: expect.stringMatching(/^[0-9a-f]{72}$/) },
        },
      ],
    })
  })

  const edits = [
    ['a value edited by hand', "update vintage set value = '6.5' where period = 1975", 'were changed'],
    ['a flag edited by hand', "update vintage set flag = 'x' where period = 1976", 'were changed'],
    [
      'a publication moved by a microsecond',
      "update vintage set published_at = published_at + interval '1 microsecond' where period = 1977",
      'were changed',
    ],
    ['a row taken away', 'delete from vintage where period = 1978', 'were changed'],
    ['all rows of a publication taken away', 'delete from vintage where period < 5000', 'are gone'],
  ] as const
  test.each(someOf('commands', 'edits that verify --chain finds by command', edits, { oneIn: 5 }))(
    'finds %s, and where',
    async (_, edit, message) => {
      await afterEdit(edit, async () => {
        const { status, out, err } = await verify('--workspace', steel.slug)
        expect({ status, out }).toEqual({ status: 1, out: '' })
        expect(err).toMatch(
          new RegExp(
            `^broken: ${steel.slug}: publication \\d+: .*\\(observations of CUSTOM/a, ser_\\w{26}\\) ${message}\n$`,
          ),
        )
        const all = await verify('--json')
        expect(all.status).toBe(1)
        expect(JSON.parse(all.out).same).toBe(false)
      })
      expect((await verify()).status).toBe(0)
    },
  )

  test('names the agreements that are not as they were published', async () => {
    const { owner } = house.installation
    const document = (slug: string) => `slug: ${slug}
contract: { start: 1971-01-01, frequency: ANNUAL }
inputs: { a: { series: CUSTOM/a, weight: 1, base: 1970 } }
clause: {}
`
    for (const slug of ['brackets', 'hinges']) {
      const path = await house.write(`${slug}.yaml`, document(slug))
      expect((await house.run(['pam', 'apply', path, '--workspace', fuel.slug])).status).toBe(0)
    }
    const rewrite = (who: string) =>
      owner.begin(async tx => {
        await tx`set local session_replication_role = replica`
        await tx`update formula set created_by = ${who} where workspace_id = ${fuel.id}
          and agreement_id = (select id from agreement where slug = 'brackets')`
      })
    const [written] = await owner<{ by: string; seq: number }[]>`
      select created_by as by, seq from formula
      where workspace_id = ${fuel.id} and agreement_id = (select id from agreement where slug = 'brackets')`
    await rewrite('eve@evil.test')
    const { status, err } = await verify()
    expect(status).toBe(1)
    expect(err).toMatch(/^broken: .* were changed\n {2}brackets is not as it was published: publications \d+\n$/)
    const { chains } = JSON.parse((await verify('--json', '--workspace', fuel.slug)).out)
    expect(chains[0].agreements).toEqual([{ agreement: 'brackets', publications: [written!.seq] }])
    await rewrite(written!.by)
    expect((await verify()).status).toBe(0)
  })

  test('takes no file, and a workspace only with --chain', async () => {
    expect((await verify('receipt.json')).err).toBe('assize: --chain checks the database and takes no file\n')
    expect((await house.run(['verify', 'r.json', '--workspace', 'x'])).err).toContain(
      '--workspace goes with --chain only',
    )
    expect((await house.run(['verify'])).err).toContain('usage: assize verify ')
  })
})

describe('the clock', () => {
  test('is compared, and what it recorded in the future is repaired, as text and as JSON', async () => {
    const { owner } = house.installation
    expect(await house.run(['clock', 'check'])).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^database {6}2\S+Z\nthis machine {2}2\S+Z\nnothing is recorded in the future\n$/),
    })
    await owner`update scope_clock set settled_at = settled_at + interval '50 days' where scope = ${steel.id}`
    const path = await house.write('late.csv', 'series,period,value\nCUSTOM/late,2024,1\n')
    const refused = await house.run(['import', path, '--workspace', steel.slug])
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('assize clock repair') })
    expect((await verify('--workspace', steel.slug)).err).toContain('the clock of this chain is ahead')
    const check = await house.run(['clock', 'check'])
    expect(check).toMatchObject({ status: 1, out: expect.stringContaining(`${steel.slug}: 0 publications recorded`) })
    const repair = await house.run(['clock', 'repair', '--json'])
    expect(JSON.parse(repair.out)).toMatchObject({ repaired: [{ scope: steel.id, publications: 0 }] })
    expect((await house.run(['clock', 'repair'])).out).toBe('nothing is recorded in the future\n')
    expect((await house.run(['import', path, '--workspace', steel.slug])).status).toBe(0)
    expect((await verify()).status).toBe(0)
  })
})

describe('backup and restore', () => {
  /** While commands use a restored folder, so that its database is not started and stopped for each of them. */
  async function whileRunning(folder: string, work: () => Promise<void>): Promise<void> {
    const database = await EmbeddedPostgres.attach(folder)
    try {
      await work()
    } finally {
      await database.release()
    }
  }

  test('cover the whole installation: keys, series and chains are the same afterwards', async () => {
    const { key, id } = JSON.parse(
      (await house.run(['key', 'create', '--workspace', steel.slug, '--name', 'k', '--json'])).out,
    )
    const folder = join(house.env.ASSIZE_DATA!, '..')
    const file = join(folder, 'whole.backup')
    const checkpoint = (await house.run(['log', 'checkpoint'])).out
    expect(checkpoint).toMatch(/^assize\/[0-9a-f]{16}\n\d+\n/)
    const made = await house.run(['backup', file, '--json'])
    expect(made).toMatchObject({ status: 0, err: '' })
    const report = JSON.parse(made.out)
    expect(report).toMatchObject({ file, bytes: (await stat(file)).size })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(report.tables).toContainEqual(expect.objectContaining({ table: 'vintage', rows: 103 }))
    expect((await house.run(['backup', file])).err).toContain('exists already')

    const env = { ASSIZE_DATA: join(folder, 'restored') }
    await copyEmptyDatabase(env.ASSIZE_DATA)
    const restored = await runCommand(['restore', file, '--json'], env)
    expect(restored).toMatchObject({ status: 0, err: '' })
    expect(JSON.parse(restored.out).tables).toEqual(report.tables)
    const revived = { workspace: steel.slug, id, name: 'k', lastFour: key.slice(-4), createdAt: expect.any(String) }
    expect(JSON.parse(restored.out)).toMatchObject({ revived: { keys: [revived], people: [] }, isEnded: false })
    const { createdAt } = JSON.parse(restored.out)
    await whileRunning(env.ASSIZE_DATA, async () => {
      const there = await Installation.open({ dataFolder: env.ASSIZE_DATA, databaseUrl: null, secrets: null })
      const noted = await there.owner<{ id: string; who: string; subject: string }[]>`
        select workspace_id as id, who, subject from activity where what = 'restored from a backup' order by 1`
      await there.close()
      const ids = [steel.id, fuel.id].sort()
      expect([...noted]).toEqual(ids.map(id => ({ id, who: 'operator', subject: `made ${createdAt}` })))
      for (const words of [
        ['verify', '--chain'],
        ['series', 'list', '--json'],
      ])
        expect(await runCommand(words, env)).toEqual(await house.run(words))
      const words = ['key', 'list', '--workspace', steel.slug, '--json']
      const keys = await runCommand(words, env)
      expect(keys).toEqual(await house.run(words))
      expect(JSON.parse(keys.out)[0]).toMatchObject({ id, lastFour: key.slice(-4) })
      // Nobody here knows what was signed since the backup was made.
      const stopped = await runCommand(['log', 'checkpoint'], env)
      expect(stopped).toMatchObject({
        status: 1,
        err: expect.stringContaining('the database was restored from a backup made '),
      })
      expect((await runCommand(['log', 'show'], env)).status).toBe(1)
      expect((await runCommand(['log', 'resume'], env)).out).toBe('the log signs again\n')
      expect((await runCommand(['log', 'checkpoint'], env)).out).toBe(checkpoint)
      const forked = await runCommand(['log', 'fork', '--reason', 'the newer database was lost'], env)
      expect(forked.out).toMatch(/^the log goes on as assize\/[0-9a-f]{16}\/2\n/)
      expect((await runCommand(['verify', '--chain'], env)).out).toMatch(/^same: public log assize\/[0-9a-f]{16}\/2, /m)
    })
    const again = await runCommand(['restore', file], env)
    expect(again).toMatchObject({ status: 1, err: expect.stringContaining('restored into an empty database') })
  })

  test('end all keys at once on request', async () => {
    const words = ['--workspace', fuel.slug, '--json']
    await house.run(['key', 'create', '--name', 'gone', ...words])
    const folder = join(house.env.ASSIZE_DATA!, '..')
    const file = join(folder, 'before.backup')
    await house.run(['backup', file])
    const env = { ASSIZE_DATA: join(folder, 'ended') }
    await copyEmptyDatabase(env.ASSIZE_DATA)
    const ended = await runCommand(['restore', file, '--revoke-keys'], env)
    expect(ended).toMatchObject({ status: 0, out: expect.stringMatching(/^ended at once: \d keys, 0 invitations/m) })
    await whileRunning(env.ASSIZE_DATA, async () => {
      for (const { slug } of [steel, fuel]) {
        const keys = JSON.parse((await runCommand(['key', 'list', '--workspace', slug, '--json'], env)).out)
        for (const key of keys) expect(key, key.name).toMatchObject({ revokedAt: expect.any(String) })
      }
      expect((await runCommand(['verify', '--chain'], env)).status).toBe(0)
    })
  })

  test('refuse a missing file and one that is not a backup', async () => {
    const env = { ASSIZE_DATA: join(house.env.ASSIZE_DATA!, '..', 'never') }
    expect((await runCommand(['restore', 'nowhere'], env)).err).toBe(
      'assize: nowhere cannot be read: there is no such file\n',
    )
    const { status, err } = await runCommand(['restore', await house.write('x', 'not a backup')], env)
    expect(status).toBe(1)
    expect(err).toMatch(/^assize: [^\n]+\n$/)
  })
})
