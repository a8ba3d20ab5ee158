import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyBinaries, findBinaries } from '../../src/storage/embedded/binaries.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-binaries-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('programs whose install script never ran are linked and run, also as another account', async () => {
  const found = await findBinaries(join(folder, 'spare'))
  expect(found.libraryFolder).toBeNull()
  // As npm leaves them when it runs no scripts: the libraries without their short names.
  const bare = join(folder, 'bare')
  await cp(found.root, bare, { recursive: true, verbatimSymlinks: true })
  for (const name of await readdir(join(bare, 'lib'))) {
    const path = join(bare, 'lib', name)
    if ((await lstat(path)).isSymbolicLink()) await rm(path)
  }
  const copied = await copyBinaries({ ...found, root: bare }, join(folder, 'copied'))
  expect(copied.root).toBe(join(folder, 'copied'))
  const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const { stdout } = await promisify(execFile)(copied.postgres, ['--version'], { cwd: folder, env: {}, ...ids })
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+/)
  expect(await copyBinaries(found, join(folder, 'copied'))).toEqual(copied)
})
