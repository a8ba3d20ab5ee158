// How the program is called, and how it reports an incorrect call: help, version, exit statuses, failures as JSON, and
// documents that are applied together.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { readEmbeddedVersions } from '../../src/storage/embedded/versions.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

let workspace: Workspace
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
})

const names = Object.keys(commands)
const groups = [...new Set(names.filter(name => name.includes(' ')).map(name => name.split(' ')[0]!))]

describe('help', () => {
  test.each([[], ...groups.map(group => [group]), ...names.map(name => name.split(' '))])(
    'of assize %s %s fits 100 columns',
    async (...words) => {
      const { status, out, err } = await house.run([...words, '--help'])
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out.split('\n').filter(line => line.length > 100)).toEqual([])
    },
  )

  test('lists every command, and for a group its own', async () => {
    const { out } = await house.run(['--help'])
    for (const name of names) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(groups).toEqual(expect.arrayContaining(['key', 'agreement', 'series', 'workspace', 'user', 'provider']))
    const key = (await house.run(['key', '--help'])).out
    expect(key.match(/^ {2}\w+ \w+/gm)).toEqual(['  key create', '  key list', '  key revoke'])
    expect((await house.run(['help', 'key'])).out).toBe(key)
    expect((await house.run(['help', 'key', 'list'])).out).toBe((await house.run(['key', 'list', '--help'])).out)
  })

  test('shows every option and summary in full', async () => {
    for (const name of names) {
      const { summary, options } = await commands[name]!()
      const { out } = await house.run([...name.split(' '), '--help'])
      const flowing = out.replace(/\s+/g, ' ')
      expect(flowing).toContain(summary)
      for (const { help } of Object.values(options)) expect(flowing).toContain(help)
    }
  })
})

describe('--version', () => {
  test('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await house.run(['--version'])).toEqual({ status: 0, out: `assize ${version}\n`, err: '' })
    expect(JSON.parse((await house.run(['--version', '--json'])).out)).toEqual({
      version,
      embedded: await readEmbeddedVersions(),
    })
  })
})

describe('the exit status', () => {
  test.each([
    [['frobnicate'], 'there is no command "frobnicate"; assize --help lists them'],
    [['key', 'frobnicate'], 'there is no command "key frobnicate"; assize key --help lists them'],
    [['key', 'list', '--frobnicate'], '--frobnicate'],
    [['key', 'list', 'x', '--workspace', 'w'], 'usage: assize key list'],
    [['key', 'list'], '--workspace is missing'],
    [['evaluate', 'x.yaml'], '--data is missing'],
    [['workspace', 'create', 'good', '--rate-limit', 'many'], '--rate-limit must be'],
    [['adjustment', 'x', '--workspace', 'w', '--period', 'soon'], '--period must be'],
  ])('is 2 for an incorrect call: %j', async (words, message) => {
    const { status, out, err } = await house.run(words.map(word => (word === 'w' ? workspace.slug : word)))
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toMatch(/^assize: [^\n]+\n$/)
    expect(err).toContain(message)
  })

  test('is 1 for a refusal', async () => {
    for (const words of [
      ['key', 'list', '--workspace', 'nowhere'],
      ['pam', 'check', 'nowhere.yaml'],
      ['key', 'revoke', 'key_none'],
    ])
      expect((await house.run(words)).status, words.join(' ')).toBe(1)
  })
})

describe('a failure with --json', () => {
  test.each([
    [['key', 'list', '--workspace', 'nowhere'], 1, /^there is no workspace "nowhere"/],
    [['key', 'list'], 2, /^--workspace is missing/],
    [['frobnicate'], 2, /^there is no command "frobnicate"/],
    [['pam', 'show', 'nothing-here', '--workspace', 'w'], 1, /nothing-here/],
  ])('is also one value on standard output: %j', async (words, wanted, message) => {
    const called = [...words.map(word => (word === 'w' ? workspace.slug : word)), '--json']
    const { status, out, err } = await house.run(called)
    expect(status).toBe(wanted)
    const value = JSON.parse(out)
    expect(Object.keys(value)).toEqual(['error'])
    expect(value.error).toMatch(message)
    expect(err).toBe(`assize: ${value.error}\n`)
  })

  test('has path and message of each problem of a document, and nothing that is for the pages', async () => {
    const document = await house.write('heavy.yaml', bracketsDocument({ steelWeight: '0.55' }))
    const problem = { path: 'inputs', message: expect.stringContaining('together 1.2, not 1') }
    for (const words of [
      ['agreement', 'check', document],
      ['agreement', 'apply', document, '--workspace', workspace.slug],
    ]) {
      const { status, out } = await house.run([...words, '--json'])
      expect(status, words.join(' ')).toBe(1)
      expect(JSON.parse(out).problems[0], words.join(' ')).toStrictEqual(problem)
    }
  })

  test('lists every line if there are several', async () => {
    const document = await house.write('bad.yaml', 'slug: a\n')
    const table = await house.write('t.csv', 'series,period,value\n')
    const { status, out, err } = await house.run(['evaluate', document, '--data', table, '--json'])
    expect(status).toBe(1)
    const lines = err.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(JSON.parse(out).error).toContain(line.replace(/^assize: /, ''))
  })
})

describe('pam apply', () => {
  const good = (slug: string) => bracketsDocument({ slug })
  const apply = (...words: string[]) => house.run(['pam', 'apply', ...words, '--workspace', workspace.slug])
  const slugs = async () =>
    JSON.parse((await house.run(['pam', 'list', '--workspace', workspace.slug, '--json'])).out).map(
      (each: { slug: string }) => each.slug,
    )

  beforeAll(async () => {
    const table = await house.write('series.csv', bracketsTable)
    const { status, err } = await house.run(['import', table, '--workspace', workspace.slug])
    expect({ status, err }).toEqual({ status: 0, err: '' })
  })

  test('reports unknown series together with the other problems of the document', async () => {
    const text = good('brackets')
      .replace('CUSTOM/steel', 'BLS/WPU999')
      .replace('CUSTOM/labour', 'CUSTOM/none')
      .replace('QUARTERLY', 'HOURLY')
    const file = await house.write('brackets.yaml', text)
    const { status, err } = await apply(file)
    expect(status).toBe(1)
    expect(err).toContain('contract.frequency')
    expect(err).toMatch(/inputs\.steel\.series \(line \d+\): unknown series BLS\/WPU999\n/)
    expect(err).toMatch(/inputs\.labour\.series \(line \d+\): unknown series CUSTOM\/none\n/)
  })

  test('asks for a successor that the workspace knows', async () => {
    const successor = 'CUSTOM/steel, successor: { series: CUSTOM/later, method: POINT }'
    const text = good('brackets').replace(/CUSTOM\/steel(?=,)/, successor)
    expect(text).toContain(successor)
    const { status, err } = await apply(await house.write('later.yaml', text))
    expect(status).toBe(1)
    expect(err).toMatch(/inputs\.steel\.successor\.series \(line \d+\): unknown series CUSTOM\/later\n/)
  })

  test('applies files and folders, all of them or none', async () => {
    const folder = join(dirname(await house.write('x', '')), 'formulas')
    await mkdir(folder)
    await writeFile(join(folder, 'b.yaml'), good('second'))
    await writeFile(join(folder, 'a.yaml'), good('first'))
    await writeFile(join(folder, 'notes.txt'), 'no document')
    const bad = await house.write('bad.yaml', good('third').replace('CUSTOM/steel', 'BLS/WPU999'))
    const refused = await apply(folder, bad)
    expect(refused).toMatchObject({ status: 1, out: '' })
    expect(refused.err).toContain('unknown series BLS/WPU999')
    expect(refused.err).toContain('assize: nothing was applied, the 2 other documents neither\n')
    expect(await slugs()).toEqual([])

    const twins = await apply(join(folder, 'a.yaml'), await house.write('again.yaml', good('first')))
    expect(twins.err).toContain('another document of the same call is called first')
    expect(await slugs()).toEqual([])

    const { status, out } = await apply(folder)
    expect(status).toBe(0)
    expect(out).toMatch(/^first: created, formula 1 \(pam_\w+\)\nsecond: created, formula 1 \(pam_\w+\)\n$/)
    expect(await slugs()).toEqual(['first', 'second'])
    const again = await apply(folder, '--json')
    expect(JSON.parse(again.out)).toMatchObject([
      { file: join(folder, 'a.yaml'), slug: 'first', outcome: 'unchanged' },
      { file: join(folder, 'b.yaml'), slug: 'second', outcome: 'unchanged' },
    ])
  })

  test('refuses a folder without documents', async () => {
    const folder = join(dirname(await house.write('x', '')), 'empty')
    await mkdir(folder)
    expect(await apply(folder)).toMatchObject({ status: 1, err: `assize: ${folder} contains no .yaml or .json\n` })
  })
})

describe('adjustment', () => {
  test('is found by the day it is in force, but not by period and day at once', async () => {
    const ask = (...words: string[]) =>
      house.run(['adjustment', 'first', '--workspace', workspace.slug, ...words, '--json'])
    const byPeriod = await ask('--period', '2024-Q2')
    expect(byPeriod.status, byPeriod.err).toBe(0)
    expect((await ask('--date', '2024-05-17')).out).toBe(byPeriod.out)
    expect(JSON.parse(byPeriod.out).adjustments[0]).toMatchObject({
      currency: 'EUR',
      per: '1',
      confirmed: { buyer: null, supplier: null },
      components: [{ seriesId: expect.stringMatching(/^ser_/) }, { seriesId: expect.stringMatching(/^ser_/) }],
    })
    expect(await ask('--date', '2024-05-17', '--period', '2024-Q2')).toMatchObject({
      status: 2,
      err: 'assize: --period and --date cannot be used together\n',
    })
    expect((await ask('--date', 'May')).err).toBe('assize: --date must be a day such as 2024-05-17, got "May"\n')
  })
})
