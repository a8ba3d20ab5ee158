// The commands about the server's secrets, as an operator of an embedded installation uses them.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idOfSecret } from '../../src/storage/keys/key-ring.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

const house = ownHouse(() => openCommandHouse('apart'))

const file = () => join(house.env.ASSIZE_DATA!, 'secret')
const ids = async () => (await readFile(file(), 'utf8')).trim().split('\n').map(idOfSecret)
const json = async (...words: readonly string[]) => JSON.parse((await house.run([...words, '--json'])).out)

test('a secret is added, made the current one, and the one before removed', async () => {
  const { slug } = await house.makeWorkspace()
  const { key } = await json('key', 'create', '--workspace', slug, '--name', 'erp')
  const [old] = await ids()
  expect(await json('secret', 'list')).toMatchObject([{ id: old, state: 'current', isListed: true }])
  expect((await house.run(['secret', 'rotate'])).err).toContain('there is no secret to change to')
  expect((await house.run(['secret', 'remove', old!])).err).toContain('is the current secret: rotate first')
  const { id } = await json('secret', 'add')
  expect(await ids()).toEqual([old, id])
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  // Nothing that was made under the old one is lost on the way.
  const rotated = await house.run(['secret', 'rotate'])
  expect(rotated).toMatchObject({ status: 0, err: '' })
  expect(rotated.out).toContain(`${id} is the secret of the server now, in the place of ${old}`)
  expect(rotated.out).toContain(`1 API key: erp of ${slug}`)
  expect((await house.run(['verify', '--chain'])).status).toBe(0)
  const named = await house.run(['secret', 'remove', old!])
  expect(named.out).toBe(
    `with the secret ${old} would end:\n  1 API key: erp of ${slug}\nassize secret remove ${old} --yes does it\n`,
  )
  expect(await ids()).toEqual([old, id])
  expect(await json('secret', 'remove', old!, '--yes')).toMatchObject({ id: old, isRemoved: true })
  expect(await ids()).toEqual([id])
  expect(await json('secret', 'list')).toMatchObject([
    { id: old, state: 'removed', isListed: false },
    { id, state: 'current', hanging: { apiKeys: [] } },
  ])
  // A backup has what is left, and what it needs beside the secrets: a drill verifies all of it.
  const backup = `${house.env.ASSIZE_DATA}.backup`
  expect(await house.run(['backup', backup])).toMatchObject({ status: 0, err: '' })
  expect(await house.run(['backup', 'drill', backup])).toMatchObject({ status: 0, err: '' })
  expect((await house.run(['secret', 'remove', 'deadbeef'])).err).toContain('there is no secret "deadbeef"')
  expect(key).toMatch(/^asz_live_/)
  const told = await house.installation.owner<{ act: string }[]>`
    select act from audit_act where act like 'secret.%' order by at`
  expect(told.map(({ act }) => act)).toEqual(['secret.add', 'secret.rotate', 'secret.remove'])
}, 120_000)
