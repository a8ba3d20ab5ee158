import { beforeAll, describe, expect, test } from 'vitest'
import { commands, findCommand } from '../../src/cli/commands.ts'
import { verifyPassword } from '../../src/storage/people/password.ts'
import { findSetUpLink, findSignIns } from '../../src/storage/people/people.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { openCommandHouse, runCommand } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

let workspace: Workspace
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
})

const onWorkspace = (...words: string[]) => house.run([...words, '--workspace', workspace.slug])
const parsed = async (words: readonly string[]) => JSON.parse((await house.run([...words, '--json'])).out)

/** 2 if the call itself is incorrect: an option or the form of the command. */
const statusFor = (message: string) => (/^(?:--|usage: assize)/.test(message) ? 2 : 1)

const ours = [
  'migrate',
  'workspace create',
  'workspace list',
  'workspace show',
  'workspace set',
  'party create',
  'party list',
  'party rename',
  'user create',
  'user password',
  'user reset-factors',
  'user remove',
  'person erase',
  'key create',
  'key list',
  'key revoke',
  'import',
  'series list',
  'verify',
  'backup',
  'restore',
]

describe('every command', () => {
  test.each(ours)('%s answers --help with its usage and options, touching nothing', async name => {
    const { status, out, err } = await runCommand([...name.split(' '), '--help'], { ASSIZE_DATA: '/proc/nowhere' })
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(new RegExp(`^assize ${name}`))
    expect(out).toContain('--json')
    expect(out).toContain('--help')
  })

  test.each(ours)('%s refuses an unknown option, in one line', async name => {
    const { status, err } = await house.run([...name.split(' '), '--frobnicate'])
    expect(status).toBe(2)
    expect(err).toMatch(/^assize: [^\n]*--frobnicate[^\n]*\n$/)
  })

  test('is listed under its own name', async () => {
    for (const [name, load] of Object.entries(commands)) expect((await load()).name).toBe(name)
    for (const name of ours) expect((await findCommand(name.split(' ')))?.command.name).toBe(name)
  })

  test('on an agreement is the same under agreement and under pam', async () => {
    const ofAgreements = Object.keys(commands).filter(name => name.startsWith('agreement '))
    expect(ofAgreements).toHaveLength(9)
    for (const name of ofAgreements) {
      const [listed, other] = await Promise.all([
        runCommand([...name.split(' '), '--help'], {}),
        runCommand([...name.replace('agreement', 'pam').split(' '), '--help'], {}),
      ])
      const flowing = (text: string) => text.replace(/\s+/g, ' ')
      expect(flowing(other.out)).toBe(flowing(listed.out).replace('assize agreement', 'assize pam'))
    }
    expect((await runCommand(['--help'], {})).out).toContain('assize pam … is the same as assize agreement …')
  })

  test('lists every mistake in the configuration, one line each', async () => {
    const env = { PORT: 'x', ASSIZE_FOO: '1', DATABASE_URL: 'mysql://x/y' }
    for (const words of [
      ['workspace', 'list'],
      ['restore', 'x'],
      ['verify', '--chain'],
    ]) {
      const { status, out, err } = await runCommand(words, env)
      expect({ status, out }).toEqual({ status: 1, out: '' })
      expect(err.trimEnd().split('\n')).toEqual([
        'assize: DATABASE_URL must be postgres://user:password@host/database',
        'assize: PORT must be a whole number from 0 to 65535, got "x"',
        'assize: ASSIZE_FOO is not a variable Assize knows',
      ])
    }
  })

  test('reports a database that cannot be reached', async () => {
    const env = { DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:1/none', ASSIZE_SECRET: 'x'.repeat(32) }
    const { status, err } = await runCommand(['workspace', 'list'], env)
    expect(status).toBe(1)
    expect(err).toMatch(/^assize: the database cannot be reached: [^\n]*\n$/)
    expect(err).not.toContain('secret-word')
  })
})

describe('migrate', () => {
  test('reports when there is nothing to do', async () => {
    expect(await house.run(['migrate'])).toEqual({ status: 0, out: 'the schema is up to date\n', err: '' })
    expect(await parsed(['migrate'])).toEqual({ applied: [] })
  })
})

describe('workspaces', () => {
  test('are created with a slug, a name and a limit, and listed', async () => {
    const slug = `${workspace.slug}-made`
    const made = await parsed(['workspace', 'create', slug, '--name', 'Made & Co', '--rate-limit', '600'])
    expect(made).toEqual({
      id: expect.stringMatching(/^wsp_/),
      slug,
      name: 'Made & Co',
      rateLimit: 600,
      workspaceRateLimit: 6_000,
      priceTolerancePct: null,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await parsed(['workspace', 'list'])).toContainEqual(expect.objectContaining(made))
    expect((await house.run(['workspace', 'list'])).out).toMatch(
      new RegExp(
        `${slug} +Made & Co +600 requests a minute +0 of 20,000 agreements +.*0 of 500 people +.*${made.id}\n`,
      ),
    )
  })

  test('get limits from the operator, which are shown with their usage, and reset', async () => {
    const { slug, name } = await house.makeWorkspace()
    const set = await parsed([
      'workspace',
      'set',
      slug,
      '--max-formulas',
      '7',
      '--max-series',
      '1',
      '--rate-limit',
      '5',
    ])
    expect(set).toMatchObject({ slug, name, rateLimit: 5, workspaceRateLimit: 50 })
    expect(set.quotas.slice(0, 2)).toEqual([
      { kind: 'agreements', most: 7, isDefault: false, used: 0 },
      { kind: 'series', most: 1, isDefault: false, used: 0 },
    ])
    const file = await house.write('two.csv', 'series,period,value\nCUSTOM/a,2020-01,1\nCUSTOM/b,2020-01,2\n')
    const { status, err } = await house.run(['import', file, '--workspace', slug])
    expect([status, err]).toEqual([1, expect.stringContaining('may have at most 1 series')])
    expect(err).toContain(`workspace set ${slug} --max-series N`)
    const back = ['--max-series', 'default', '--workspace-rate-limit', '9', '--name', 'Renamed']
    await house.run(['workspace', 'set', slug, ...back])
    expect((await house.run(['import', file, '--workspace', slug])).status).toBe(0)
    const { out } = await house.run(['workspace', 'show', slug])
    expect(out).toMatch(/^\S+ {2}Renamed /)
    expect(out).toMatch(/of all keys +9\n/)
    expect(out).toMatch(/agreements +0 of +7\n/)
    expect(out).toMatch(/series +2 of +100,000 +\(default\)/)
    expect(out).toMatch(/uploads +at a time +2 /)
  })

  test.each([
    [
      ['--max-formulas', 'many'],
      2,
      /^assize: --max-formulas must be a whole number or the word default, got "many"\n$/,
    ],
    [['--max-keys', '9999999999999'], 1, /^assize: max-keys must be a whole number from 0 to 1000000000000, got /],
    [['--rate-limit', '0'], 1, /^assize: rate-limit must be a whole number from 1 to 1000000, got 0\n$/],
    [
      ['--workspace-rate-limit', '0'],
      1,
      /^assize: workspace-rate-limit must be a whole number from 1 to 10000000, got 0\n$/,
    ],
    [['--name', ' '], 1, /^assize: a workspace's name must have/],
    [[], 2, /^assize: nothing to change; see assize workspace set --help\n$/],
  ])('are not set to %j', async (words, expected, message) => {
    const { slug } = await house.makeWorkspace()
    const { status, err } = await house.run(['workspace', 'set', slug, ...words])
    expect([status, err]).toEqual([expected, expect.stringMatching(message)])
  })

  test.each([
    [['Bad_Slug'], `a workspace's slug must be`],
    [['good', '--rate-limit', '0'], '--rate-limit must be a whole number from 1 to 1000000, got "0"'],
    [['good', '--rate-limit', '1.5'], '--rate-limit must be'],
    [['good', '--name', ' '], `a workspace's name must have 1 to 200 characters`],
    [[], 'usage: assize workspace create <slug>'],
  ])('refuse %j', async (words, message) => {
    const { status, err } = await house.run(['workspace', 'create', ...words])
    expect(status).toBe(statusFor(message))
    expect(err).toContain(message)
  })

  test('exist once', async () => {
    expect((await house.run(['workspace', 'create', workspace.slug])).err).toBe(
      `assize: a workspace with the slug "${workspace.slug}" exists already\n`,
    )
  })

  test('that do not exist are refused, listing those that do', async () => {
    for (const words of [
      ['key', 'list'],
      ['series', 'list'],
      ['import', await house.write('t.csv', '')],
    ]) {
      const { status, err } = await house.run([...words, '--workspace', 'nowhere'])
      expect(status).toBe(1)
      expect(err).toMatch(/^assize: there is no workspace "nowhere"; known are [^\n]+\n$/)
    }
    expect((await house.run(['key', 'list'])).err).toBe('assize: --workspace is missing: name the workspace\n')
  })
})

describe('keys', () => {
  test('are shown once, exactly as documented, and only their last four characters afterwards', async () => {
    const made = JSON.parse((await onWorkspace('key', 'create', '--name', 'erp', '--expires', '90d', '--json')).out)
    expect(Object.keys(made)).toEqual(['id', 'key', 'name', 'expiresAt'])
    expect(made.key).toMatch(/^asz_live_[0-9A-Za-z]{38}$/)
    const days = (Date.parse(made.expiresAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(89.9)
    expect(days).toBeLessThanOrEqual(90)
    const endless = JSON.parse((await onWorkspace('key', 'create', '--name', 'other', '--json')).out)
    expect(endless.expiresAt).toBeNull()
    const { out } = await onWorkspace('key', 'create', '--name', 'for people')
    expect(out).toMatch(
      /^asz_live_\w{38}\n\nfor people \(key_\w{26}\), no end\. Keep it now: it is not shown again\.\n$/,
    )

    const listed = await onWorkspace('key', 'list', '--json')
    expect(listed.out).not.toContain(made.key)
    expect(JSON.parse(listed.out)).toContainEqual({
      id: made.id,
      name: 'erp',
      scope: 'read',
      lastFour: made.key.slice(-4),
      madeBy: 'operator',
      createdAt: expect.any(String),
      expiresAt: made.expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    })
    const money = await onWorkspace('key', 'create', '--name', 'books', '--scope', 'money')
    expect(money.out).toMatch(/books \(key_\w{26}\), scope money, no end\./)
    expect((await onWorkspace('key', 'create', '--name', 'x', '--scope', 'write')).err).toBe(
      'assize: --scope must be one of read, money, all, got "write"\n',
    )
    const shown = (await onWorkspace('key', 'list')).out
    expect(shown).toMatch(/ books +money +…/)
    expect(shown).toMatch(
      new RegExp(`${endless.id} +other +read +…${endless.key.slice(-4)} +by operator +no end +never used\n`),
    )
    expect(shown).not.toContain('asz_live_')
  })

  test('that a person made end when the person is removed, and the command says so', async () => {
    const created = await onWorkspace('user', 'create', 'mia@buyer.test', '--role', 'editor')
    expect(created.status).toBe(0)
    const key = JSON.parse(
      (await onWorkspace('key', 'create', '--name', 'mia', '--as', 'mia@buyer.test', '--json')).out,
    )
    expect((await onWorkspace('user', 'remove', 'nobody@buyer.test')).err).toBe(
      'assize: this person is not in the workspace\n',
    )
    const removed = await onWorkspace('user', 'remove', 'mia@buyer.test')
    expect(removed.out).toMatch(/^mia@buyer\.test is removed from [\w-]+; ended with it: 1 key, 0 feeds, 0 links\n$/)
    const listed = JSON.parse((await onWorkspace('key', 'list', '--json')).out)
    expect(listed).toContainEqual(expect.objectContaining({ id: key.id, revokedAt: expect.any(String) }))
  })

  test('that a person made say erased-<n> once the person is erased, and the command says what it did', async () => {
    const erase = (...more: string[]) => house.run(['person', 'erase', 'mia@buyer.test', ...more])
    expect((await erase()).err).toBe('assize: --reason is missing: say why; it stays in the log\n')
    const trial = await erase('--reason', 'asked for it', '--dry-run')
    expect(trial.out).toMatch(
      /^mia@buyer\.test would become erased-1: \d+ rows, \d+ entries of the log and \d+ of the access log\nNothing was changed\.\n$/,
    )
    const erased = await erase('--reason', 'asked for it')
    expect(erased.out).toMatch(/^mia@buyer\.test is now erased-1: .*\nOlder backups still have the name, /)
    expect((await onWorkspace('key', 'list')).out).toMatch(/ erased-1 +read +…\w+ +by erased-1 +revoked /)
    expect((await erase('--reason', 'again')).err).toBe('assize: mia@buyer.test is named nowhere here\n')
  })

  test('are revoked by their id, immediately or after a grace period; twice is not an error', async () => {
    const make = async () => JSON.parse((await onWorkspace('key', 'create', '--name', 'short', '--json')).out)
    const [one, other] = [await make(), await make()]
    const revoked = await parsed(['key', 'revoke', one.id])
    expect(revoked).toMatchObject({ id: one.id, revokedAt: expect.stringMatching(/Z$/), expiresAt: null })
    expect((await parsed(['key', 'revoke', one.id])).revokedAt).toBe(revoked.revokedAt)
    const graced = await parsed(['key', 'revoke', other.id, '--grace', '15m'])
    expect(graced.revokedAt).toBeNull()
    expect(Date.parse(graced.expiresAt) - Date.now()).toBeLessThanOrEqual(900_000)
    expect((await house.run(['key', 'revoke', one.id])).out).toMatch(/^short \(key_\w+\): revoked 20\S+Z\n$/)
  })

  test.each([
    [['key', 'create'], '--name is missing'],
    [['key', 'create', '--name', ''], `a key's name must have`],
    [
      ['key', 'create', '--name', 'x', '--expires', 'tomorrow'],
      '--expires must be such as 30s, 15m, 12h or 90d, or a future instant, got "tomorrow"',
    ],
    [['key', 'create', '--name', 'x', '--expires', '2001-01-01T00:00:00Z'], '--expires must be'],
    [['key', 'create', '--name', 'x', '--expires', '0d'], '--expires must be'],
  ])('refuse %j', async (words, message) => {
    const { status, out, err } = await onWorkspace(...words)
    expect({ status, out }).toEqual({ status: statusFor(message), out: '' })
    expect(err).toContain(message)
  })

  test('that do not exist are refused', async () => {
    expect((await house.run(['key', 'revoke', 'key_nothing'])).err).toBe('assize: there is no key "key_nothing"\n')
  })
})

describe('people', () => {
  test('without a password get a link that works once; asked again, a new one', async () => {
    const words = ['user', 'create', 'Ann@Buyer.test', '--role', 'buyer', '--name', 'Ann']
    const made = JSON.parse((await onWorkspace(...words, '--json')).out)
    expect(made).toMatchObject({ email: 'ann@buyer.test', name: 'Ann', role: 'buyer', workspace: workspace.slug })
    expect(made.setUpLink).toMatch(/^http:\/\/localhost:8080\/set-up#[\w-]{43}$/)
    const token = made.setUpLink.split('#')[1]
    const now = new Date().toISOString()
    expect(await findSetUpLink(house.installation.sql, token, now)).toMatchObject({ email: 'ann@buyer.test' })
    const { out } = await onWorkspace(...words)
    expect(out).toMatch(/^ann@buyer\.test is in \S+ as buyer\nhttp:\S+#\S+\nworks once, until 20\S+Z: send it to them/)
    expect((await onWorkspace('user', 'create', 'ann@buyer.test', '--role', 'owner')).err).toBe(
      'assize: ann@buyer.test is already in this workspace as buyer\n',
    )
  })

  test('may get a password from standard input; it is stored as a hash, and nobody else’s is overwritten', async () => {
    const words = ['user', 'create', 'bob@supplier.test', '--role', 'supplier', '--password-stdin']
    const made = await house.spawn([...words, '--workspace', workspace.slug, '--json'], 'correct horse battery\n')
    expect(made.err).toBe('')
    expect(JSON.parse(made.out)).toMatchObject({ email: 'bob@supplier.test', setUpLink: null, expiresAt: null })
    const [held] = await findSignIns(house.installation.sql, 'bob@supplier.test')
    expect(await verifyPassword(held!.passwordHash, 'correct horse battery')).toBe(true)
    const other = await house.makeWorkspace()
    const again = await house.spawn([...words, '--workspace', other.slug], 'another password\n')
    expect(again).toMatchObject({ status: 1, err: expect.stringContaining('already has a password, which stays') })
    const known = await house.run([
      'user',
      'create',
      'bob@supplier.test',
      '--role',
      'viewer',
      '--workspace',
      other.slug,
    ])
    expect(known.out).toMatch(
      /\/set-up#[\w-]{43}\nworks once, until \S+: send it to them to set a password, or to join with their existing one\n$/,
    )
    const short = await house.spawn(
      ['user', 'create', 'eve@supplier.test', '--role', 'viewer', '--password-stdin', '--workspace', other.slug],
      'short',
    )
    expect(short).toMatchObject({ status: 1, err: 'assize: a password must have 10 to 1000 characters, got 5\n' })
    expect(await findSignIns(house.installation.sql, 'eve@supplier.test')).toEqual([])
  })

  test.each([
    [['nobody', '--role', 'buyer'], 'an e-mail address such as'],
    [['a@b.test'], '--role must be owner, editor, buyer, supplier, viewer, got none'],
    [['a@b.test', '--role', 'king'], '--role must be owner, editor, buyer, supplier, viewer, got "king"'],
  ])('refuse %j', async (words, message) => {
    const { status, err } = await onWorkspace('user', 'create', ...words)
    expect(status).toBe(statusFor(message))
    expect(err).toContain(message)
  })
})

describe('series list', () => {
  test('shows a workspace’s series with their span, last value and vintages', async () => {
    const own = await house.makeWorkspace()
    const path = await house.write(
      't.csv',
      'series,period,value,name\nCUSTOM/steel,2024-01,99.5,Steel\nCUSTOM/steel,2024-03,101.25,\nCUSTOM/fuel,2024-W09,1.9,Fuel\n',
    )
    await house.run(['import', path, '--workspace', own.slug])
    const { out } = await house.run(['series', 'list', '--workspace', own.slug])
    expect(out).toBe(
      `${own.slug}: 2 series\n` +
        '  CUSTOM/fuel   Fuel   WEEKLY   2024-W09              1.9    1 vintage  own\n' +
        '  CUSTOM/steel  Steel  MONTHLY  2024-01 to 2024-03  101.25  2 vintages  own\n',
    )
    const all = await parsed(['series', 'list'])
    expect(all.filter((entry: { workspace: string }) => entry.workspace === own.slug)).toHaveLength(2)
  })

  test('of an empty workspace is empty', async () => {
    const own = await house.makeWorkspace()
    expect((await house.run(['series', 'list', '--workspace', own.slug])).out).toBe(`${own.slug}: 0 series\n`)
    expect(await parsed(['series', 'list', '--workspace', own.slug])).toEqual([])
  })
})

describe('the program', () => {
  test('runs a command, answers --help, and refuses unknown words', async () => {
    const listed = await house.spawn(['workspace', 'list', '--json'])
    expect(listed).toMatchObject({ status: 0, err: '' })
    expect(JSON.parse(listed.out)).toContainEqual(expect.objectContaining({ slug: workspace.slug }))
    const refused = await house.spawn(['key', 'list', '--workspace', 'nowhere'])
    expect(refused).toMatchObject({ status: 1, out: '', err: expect.stringMatching(/^assize: there is no workspace/) })
  })
})
