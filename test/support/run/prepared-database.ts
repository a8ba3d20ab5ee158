// Databases that many tests begin with, such as one with the demo in it: made once in a run of the tests, then copied.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { carryOutEverywhere } from '../../../src/agreements/terms/carry-out.ts'
import { type Instant, parseInstant } from '../../../src/core/time/instant.ts'
import { type Demo, makeDemo } from '../../../src/demo/make.ts'
import { allIndexEvents } from '../../../src/providers/events/all-events.ts'
import { changingAccess } from '../../../src/storage/log/access-log.ts'
import { recordOwnEvents } from '../../../src/storage/series/index-events.ts'
import { easyHashOf } from '../easy-hash.ts'
import { databaseOf, makeTestRing, openTestDatabase, type TestDatabase } from './postgres.ts'
import { copyPrepared, type DemoWords, demoWordsName } from './prepared-folder.ts'

/** Where a prepared folder says which database belongs to it. */
const nameFile = 'database-name'

/** A copy of the database that `make` opens and fills; what it leaves in its folder is copied into `folder`. */
export async function openPreparedDatabase(
  name: string,
  folder: string,
  make: (folder: string) => Promise<TestDatabase>,
): Promise<TestDatabase> {
  await copyPrepared(`database-${name}`, folder, async made => {
    await mkdir(made, { recursive: true })
    const database = await make(made)
    await writeFile(join(made, nameFile), databaseOf(database.target))
    await database.leave()
  })
  return openTestDatabase(await readFile(join(folder, nameFile), 'utf8'))
}

interface Made {
  readonly demo: Demo
  readonly madeAt: Instant
}

/** The demo as it was just made, with its credentials in `data` and what making it returned next to them. */
export async function openMadeDemo(folder: string): Promise<TestDatabase & Made> {
  const database = await openPreparedDatabase('made-demo', folder, async made => {
    const { sql, owner, ...database } = await openTestDatabase()
    const madeAt = parseInstant(new Date().toISOString())!
    const demo = await makeDemo({ sql, owner, ring: makeTestRing() }, join(made, 'data'), madeAt)
    await writeFile(join(made, madeFile), JSON.stringify({ demo, madeAt } satisfies Made))
    return { sql, owner, ...database }
  })
  return { ...database, ...(JSON.parse(await readFile(join(folder, madeFile), 'utf8')) as Made) }
}

const madeFile = 'made.json'

/**
 * The same after the first start of a server, and next to it what the command would say: the key and the passwords. Their hashes
 * are easy ones, because people sign in and sign many times.
 */
export function openDemoDatabase(folder: string): Promise<TestDatabase> {
  return openPreparedDatabase('demo', folder, async made => {
    const database = await openMadeDemo(made)
    const { sql, owner, demo } = database
    const { key, signIns } = demo
    for (const { email, password } of signIns)
      await changingAccess(
        owner,
        async tx => tx`update person set password_hash = ${await easyHashOf(password!)} where email = ${email}`,
      )
    await recordOwnEvents(sql, allIndexEvents)
    await carryOutEverywhere(sql)
    const words = { key, signIns: signIns.map(({ email, password }) => ({ email, password: password! })) }
    await writeFile(join(made, demoWordsName), JSON.stringify(words satisfies DemoWords))
    return database
  })
}
