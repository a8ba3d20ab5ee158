// F16, in sets: random acts, a backup of what is new, a restore of the newest and one until a random instant, again and again. Every
// table has the same hash, what was recorded until the instant is there and nothing else, and every chain verifies.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Instant } from '../../src/core/time/instant.ts'
import { BackupFolder } from '../../src/storage/backups/backup-store.ts'
import { openSet } from '../../src/storage/backups/restore-set.ts'
import { takeBackup } from '../../src/storage/backups/take-backup.ts'
import { withChainKey } from '../../src/storage/log/secret.ts'
import { openOwner, type Sql } from '../../src/storage/postgres/database.ts'
import { hashTables } from '../../src/storage/upkeep/backup.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { restoreFrom } from '../../src/storage/upkeep/restore.ts'
import type { Api, Ground } from '../support/houses/api.ts'
import { BackupActs } from '../support/houses/backup-acts.ts'
import { compareUntil } from '../support/run/rows-until.ts'
import type { FaultRun } from './fault.ts'
import { openSibling } from './grounds.ts'

const actsBetween = 12

export async function restoreSets(api: Api, ground: Ground, { rounds, seed, say }: FaultRun): Promise<string[]> {
  const failures: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'assize-sets-'))
  const store = new BackupFolder(join(folder, 'set'))
  const acts = await BackupActs.begin(api, seed)
  const restoring = async (until: Instant | null, look: (copy: Sql) => Promise<void>) => {
    const sibling = await openSibling(ground)
    const copy = openOwner(withChainKey(sibling.target, api.secret))
    try {
      await restoreFrom(copy, await openSet(store, until, folder), api.secret)
      for (const { scope, problem } of await verifyAllChains(copy))
        if (problem !== null) failures.push(`until ${until}: ${scope}: ${problem.message}`)
      await look(copy)
    } finally {
      await copy.end()
      await sibling.close()
    }
  }
  try {
    let before: Instant | null = null
    for (let round = 0; round < rounds; round++) {
      for (let n = 0; n < actsBetween; n++) await acts.act()
      const { number, createdAt, buildsOn, rows } = await takeBackup(api.owner, store, { secret: null, fullEvery: 7 })
      const tables = JSON.stringify(await hashTables(api.owner))
      await restoring(null, async copy => {
        if (JSON.stringify(await hashTables(copy)) !== tables) failures.push(`backup ${number}: tables differ`)
      })
      if (before !== null) {
        const [row] = await api.owner<{ at: Instant }[]>`
          select ${before}::timestamptz + (${createdAt}::timestamptz - ${before}::timestamptz) * random() as at`
        await restoring(row!.at, async copy => {
          const { differing } = await compareUntil(api.owner, copy, row!.at)
          if (differing.length > 0) failures.push(`until ${row!.at}: ${differing.join(', ')} differ`)
        })
      }
      before = createdAt
      say(`backup ${number}, ${buildsOn === null ? 'everything' : `after ${buildsOn}`}: ${rows} rows`)
    }
    return failures
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
