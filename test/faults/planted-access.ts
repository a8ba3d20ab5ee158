// F23: somebody with the database and without the server's secret makes themselves a way in, or a way to sign: with rows of
// their own, rows of others, rows that were removed, and the log rewritten with them. Nobody gets in, nothing is signed,
// and `verify --chain` finds each.

import type { Sql } from '../../src/storage/postgres/database.ts'
import type { Api } from '../support/houses/api.ts'
import { firstProblem } from '../support/proof/first-problem.ts'
import { Chance } from './chance.ts'
import { makePlantedGround, tables } from './planted-ground.ts'
import { unnoticed, ways } from './planted-ways.ts'

/** What is exchanged between rows at random: columns whose every change must be found. */
const exchanged: Readonly<Record<string, readonly string[]>> = {
  member: ['person_id', 'role', 'name', 'invited_by', 'invited_at', 'joined_at', 'created_at'],
  passkey: ['person_id', 'public_key', 'name', 'created_at'],
  api_key: ['workspace_id', 'name', 'digest', 'key_scope', 'expires_at', 'revoked_at', 'created_at'],
  set_up_link: ['person_id', 'joins', 'expires_at', 'used_at', 'token_hash'],
  workspace: ['slug', 'name', 'created_at'],
  activity: ['workspace_id', 'at', 'who', 'what', 'subject', 'from_address'],
  access_entry: ['number', 'kind', 'subject', 'at', 'content', 'previous', 'seal', 'scope'],
  access_head: ['number', 'seal', 'head'],
}

interface Found {
  readonly failures: readonly string[]
  readonly ways: number
}

/** `rounds`: how many values are exchanged at random besides, by `seed`. */
export async function plantAccess(api: Api, { rounds = 0, seed = 1 } = {}): Promise<Found> {
  const { owner } = api
  const { names, tries, controls } = await makePlantedGround(api)
  const failures: string[] = []
  const untouched = await firstProblem(owner)
  if (untouched !== null) failures.push(`untouched: ${untouched}`)
  await keep(owner)
  const all = [...Object.entries(ways), ...Object.entries(unnoticed).map(([name, text]) => [name, [text, '']] as const)]
  try {
    for (const [name, [statement, attempt]] of all) {
      const changed = await rewrite(owner, withNames(statement, names))
      if (changed === 0) failures.push(`${name}: nothing was written`)
      if ((await firstProblem(owner)) === null) failures.push(`${name}: not found`)
      const attempted = attempt === '' ? async () => false : tries[attempt]
      if (attempted === undefined) throw new Error(`nobody knows how to try "${attempt}"`)
      if (await attempted()) failures.push(`${name}: ${attempt} worked`)
      await putBack(owner)
    }
    failures.push(...(await exchangeValues(owner, rounds, seed)))
    const signed = await owner`select 1 from sign_off`
    if (signed.length > 0) failures.push(`${signed.length} signatures were made`)
  } finally {
    await owner`drop schema kept cascade`
  }
  const left = await firstProblem(owner)
  if (left !== null) failures.push(`put back: ${left}`)
  for (const [name, control] of Object.entries(controls))
    if (!(await control())) failures.push(`${name} does not work where nothing is planted`)
  return { failures, ways: all.length + rounds }
}

async function exchangeValues(owner: Sql, rounds: number, seed: number): Promise<readonly string[]> {
  const failures: string[] = []
  const chance = new Chance(seed)
  for (let round = 0; round < rounds; round++) {
    const table = chance.pick(Object.keys(exchanged))
    const column = chance.pick(exchanged[table]!)
    const [one, other] = [chance.int(0, 1_000_000), chance.int(0, 1_000_000)]
    const place = (n: number) =>
      `(select ctid from ${table} order by ctid offset ${n} % (select count(*) from ${table}) limit 1)`
    const statement = `update ${table} t set ${column} = o.${column} from ${table} o
      where t.ctid = ${place(one)} and o.ctid = ${place(other)} and t.${column} is distinct from o.${column}`
    // A value that must be there once is refused by the database itself.
    const changed = await rewrite(owner, statement).catch(() => 0)
    if (changed === 0) continue
    if ((await firstProblem(owner)) === null)
      failures.push(`${table}.${column} of another row (seed ${seed}): not found`)
    await putBack(owner)
  }
  return failures
}

function withNames(statement: string, names: Readonly<Record<string, string>>): string {
  return statement.replaceAll(/\$[a-zA-Z]+/g, name => {
    const value = names[name]
    if (value === undefined) throw new Error(`${name} is no name`)
    return value
  })
}

/** With triggers and keys switched off, as only the owner can. Returns how many rows all of it changed. */
function rewrite(owner: Sql, statement: string): Promise<number> {
  return owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    const results = (await tx.unsafe(statement)) as unknown as { count?: number } & { count: number }[]
    return results.count ?? results.reduce((sum, { count }) => sum + count, 0)
  }) as Promise<number>
}

async function keep(owner: Sql): Promise<void> {
  await owner`create schema kept`
  for (const table of tables) await owner`create table kept.${owner(table)} as table ${owner(table)}`
}

function putBack(owner: Sql): Promise<unknown> {
  return owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    for (const table of tables) {
      await tx`delete from ${tx(table)}`
      await tx`insert into ${tx(table)} select * from kept.${tx(table)}`
    }
  })
}
