// Parties on the command line: companies are created, renamed and listed with their people, and formulas name them.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

let workspace: Workspace
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
})

const run = (...words: string[]) => house.run([...words, '--workspace', workspace.slug])
const parsed = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out)

describe('parties', () => {
  test('are created, listed with their people, and renamed', async () => {
    expect((await run('party', 'list')).out).toBe(
      `${workspace.slug} has no parties; add one with assize party create\n`,
    )
    const made = await run('party', 'create', 'ohio-forge', '--name', 'Ohio Forge Inc.')
    expect(made).toEqual({
      status: 0,
      out: `created party ohio-forge (Ohio Forge Inc.) in ${workspace.slug}\n`,
      err: '',
    })
    expect(await parsed('party', 'create', 'peach-haulage', '--name', 'Peach Haulage')).toEqual({
      id: expect.stringMatching(/^pty_/),
      slug: 'peach-haulage',
      name: 'Peach Haulage',
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await parsed('party', 'rename', 'peach-haulage', '--name', 'Peach Haulage LLC')).toMatchObject({
      slug: 'peach-haulage',
      name: 'Peach Haulage LLC',
    })
    const invited = await parsed('user', 'create', 'fay@forge.test', '--role', 'supplier', '--party', 'ohio-forge')
    expect(invited).toMatchObject({ email: 'fay@forge.test', role: 'supplier', party: 'ohio-forge' })
    expect((await run('user', 'create', 'ned@forge.test', '--role', 'supplier', '--party', 'ohio-forge')).out).toMatch(
      new RegExp(`^ned@forge.test is in ${workspace.slug} as supplier, of ohio-forge\n`),
    )
    expect((await run('party', 'list')).out).toBe(
      '  ohio-forge     Ohio Forge Inc.    fay@forge.test, ned@forge.test\n  peach-haulage  Peach Haulage LLC  no people\n',
    )
    expect(await parsed('party', 'list')).toMatchObject([
      { slug: 'ohio-forge', name: 'Ohio Forge Inc.', people: ['fay@forge.test', 'ned@forge.test'] },
      { slug: 'peach-haulage', people: [] },
    ])
  })

  test('are refused in one line: without a name, twice, unknown ones, and for a person of another party', async () => {
    const refused = async (status: number, message: string, ...words: string[]) => {
      const outcome = await run(...words)
      expect(outcome).toEqual({ status, out: '', err: `assize: ${message}\n` })
    }
    await refused(2, '--name is missing: the name of the company', 'party', 'create', 'any')
    await refused(
      1,
      'there is a party "ohio-forge" already: Ohio Forge Inc.',
      'party',
      'create',
      'ohio-forge',
      '--name',
      'X',
    )
    const unknown = 'there is no party "none" in this workspace; known are ohio-forge, peach-haulage'
    await refused(1, unknown, 'party', 'rename', 'none', '--name', 'X')
    await refused(1, unknown, 'user', 'create', 'any@forge.test', '--role', 'supplier', '--party', 'none')
    const there = 'fay@forge.test is already in this workspace as supplier, of ohio-forge'
    await refused(1, there, 'user', 'create', 'fay@forge.test', '--role', 'supplier', '--party', 'peach-haulage')
    // In the same role and party, or with none given, a person who has not joined gets a new link.
    expect((await run('user', 'create', 'fay@forge.test', '--role', 'supplier')).status).toBe(0)
  })

  test('are named in formulas: an unknown one refuses the document, its people sign, and the receipt names it', async () => {
    await run('import', await house.write('steel.csv', steelTable))
    const file = (side: string) =>
      house.write('steel.yaml', steelDocument({ more: `parties: { supplier: ${side} }\n` }))
    const wrong = await run('pam', 'apply', await file('ohio-forg'))
    expect(wrong.status).toBe(1)
    expect(wrong.err).toContain(
      'parties.supplier (line 12): there is no party "ohio-forg" in this workspace (did you mean "ohio-forge"?)',
    )
    expect((await run('pam', 'apply', await file('ohio-forge'))).status).toBe(0)
    const sign = (email: string) =>
      run('pam', 'sign', 'steel', '--period', '2024-Q2', '--party', 'supplier', '--as', email)
    expect((await sign('sam@supplier.test')).err).toContain('that is for the people of ohio-forge')
    expect((await sign('fay@forge.test')).status).toBe(0)
    const { out } = await run('receipt', 'steel', '--period', '2024-Q2')
    expect(JSON.parse(out).body.companies).toEqual({ 'ohio-forge': 'Ohio Forge Inc.' })
    const verified = await house.run(['verify', await house.write('receipt.json', out)])
    expect([verified.status, verified.out]).toEqual([
      0,
      expect.stringContaining('\nthe supplier is Ohio Forge Inc. (ohio-forge)\n'),
    ])
  })
})
