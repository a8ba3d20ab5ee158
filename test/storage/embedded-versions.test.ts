// What is inside the embedded database: the versions that `assize --version --json` prints are those of the running server and its files,
// and the documents name the same.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEmbeddedVersions } from '../../src/storage/embedded/versions.ts'
import { commandOutput, processEnv } from '../support/clients/command-output.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)
const isOwn = (process.env.TEST_DATABASE_URL ?? '') !== ''

test.skipIf(isOwn)('PostgreSQL is the version that the running server says', async () => {
  const [row] = await db.owner<{ version: string }[]>`select current_setting('server_version') as version`
  expect((await readEmbeddedVersions())!.postgresql).toBe(row!.version)
})

test('the program prints them, and README and OPERATING name them', async () => {
  const versions = (await readEmbeddedVersions())!
  const printed = JSON.parse(await commandOutput(['--version', '--json'], processEnv))
  expect(printed).toEqual({ version: expect.any(String), embedded: versions })
  const { postgresql, openssl, icu } = versions
  const inside = `PostgreSQL ${postgresql}, OpenSSL ${openssl} and ICU ${icu}`
  for (const name of ['README.md', 'docs/OPERATING.md'])
    expect(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' '), name).toContain(
      inside,
    )
})
