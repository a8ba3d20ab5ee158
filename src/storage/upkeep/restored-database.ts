// A database of the operator's own PostgreSQL that its own tools have restored: opened only where it has the schema of this
// program and was set up with this secret. Opening it changes nothing.
import { Refusal } from '../../core/refusal.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { loadRing } from '../log/ring-state.ts'
import { withRing } from '../log/secret-check.ts'
import { type DatabaseTarget, openOwner, type Sql, schemaName } from '../postgres/database.ts'
import { checkDirect } from './installation.ts'
import { compare, readMigrations } from './migrate.ts'

interface RestoredDatabase {
  readonly target: DatabaseTarget
  readonly owner: Sql
}

/** Opens the database; the caller ends `owner`. */
export async function openRestored(url: string, ring: KeyRing): Promise<RestoredDatabase> {
  const target = withRing({ url }, ring)
  const owner = openOwner(target, { connections: 1 })
  try {
    await checkDirect(owner, { target, embedded: null })
    await refuseOtherSchema(owner)
    await loadRing(owner, ring)
    return { target, owner }
  } catch (error) {
    await owner.end()
    throw error
  }
}

async function refuseOtherSchema(owner: Sql): Promise<void> {
  const [found] = await owner<{ isThere: boolean }[]>`
    select to_regclass(${`${schemaName}.migration`}) is not null as "isThere"`
  if (!found!.isThere) throw new Refusal('not-found', 'there is no installation of Assize in this database')
  const migrations = await readMigrations()
  const applied = await owner<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum from migration order by number`
  compare(migrations, applied)
  if (applied.length < migrations.length)
    throw new Refusal(
      'conflict',
      'the database has an older schema than this program: run the drill with the Assize that worked on it',
    )
}
