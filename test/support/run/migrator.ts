// A process that migrates a database and says what it applied, for tests that start several at once.
import { type DatabaseTarget, openOwner } from '../../../src/storage/postgres/database.ts'
import { migrate, readMigrations } from '../../../src/storage/upkeep/migrate.ts'

const owner = openOwner(JSON.parse(process.argv[2]!) as DatabaseTarget, { connections: 1 })
process.stdout.write(JSON.stringify(await migrate(owner, await readMigrations())))
await owner.end()
