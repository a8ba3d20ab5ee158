// A process that uses the embedded database of a folder, for tests that start, stop and kill several of them. It prints
// `ready <pid of the server>`, and exits when its standard input ends.
import { EmbeddedPostgres } from '../../../src/storage/embedded/embedded.ts'

const embedded = await EmbeddedPostgres.attach(process.argv[2]!)
process.stdout.write(`ready ${embedded.pid}\n`)
if (process.argv[3] === 'exit') process.exit(3)
process.stdin.resume().once('end', async () => {
  await embedded.release()
  process.stdout.write('left\n')
})
