// Backups in storage by the commands: added to a set, restored up to an instant, drilled and pruned.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../src/core/time/instant.ts'
import { StandInS3 } from '../stand-in/s3.ts'
import { processEnv, program } from '../support/clients/command-output.ts'
import { openCommandHouse, runCommand } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { copyEmptyDatabase } from '../support/run/prepared-folder.ts'

const house = ownHouse(() => openCommandHouse('apart'))
const storage = new StandInS3()
const place = `s3://${storage.bucket}/prices`
let folder: string
let access: Record<string, string>
let between: Instant
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-backup-set-'))
  access = {
    ASSIZE_S3_ENDPOINT: await storage.listen(),
    ASSIZE_PRIVATE_HOSTS: '127.0.0.1',
    AWS_REGION: storage.region,
    AWS_ACCESS_KEY_ID: storage.keyId,
    AWS_SECRET_ACCESS_KEY_FILE: await house.write('storage-secret', `${storage.secret}\n`),
  }
})
afterAll(async () => {
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...words: string[]) => runCommand(words, { ...house.env, ...access })

describe('a set of backups in storage', () => {
  test('gets everything first, then what is new, and says so', async () => {
    const { slug } = await house.makeWorkspace()
    const bring = async (code: string, value: string) => {
      const path = await house.write('t.csv', `series,period,value\nCUSTOM/${code},2024,${value}\n`)
      expect(await run('import', path, '--workspace', slug)).toMatchObject({ status: 0 })
    }
    await bring('first', '1')
    storage.troubles = ['busy', 'reset', 'lost-answer']
    expect(await run('backup', '--to', place)).toMatchObject({
      ...{ status: 0, err: '' },
      out: expect.stringMatching(
        /^s3:\/\/backups\/prices: backup 1, everything \(it is the first\): \d+ rows, [\d,]+ bytes\n$/,
      ),
    })
    await bring('second', '2')
    between = (await house.installation.owner<{ at: Instant }[]>`select clock_timestamp() as at`)[0]!.at
    await bring('third', '3')
    const { out } = await run('backup', '--to', place, '--json')
    expect(JSON.parse(out)).toMatchObject({ number: 2, buildsOn: 1, whyFull: null })
    const last = JSON.parse(await readFile(join(house.env.ASSIZE_DATA!, 'last-backup.json'), 'utf8'))
    expect(last).toMatchObject({ where: place, at: JSON.parse(out).createdAt })
  })

  longTest('is restored up to an instant, and what came from when is said', async () => {
    const env = { ASSIZE_DATA: join(folder, 'until'), ...access }
    await copyEmptyDatabase(env.ASSIZE_DATA)
    const restored = await runCommand(['restore', place, '--until', between], env)
    expect(restored).toMatchObject({ status: 0, err: '' })
    expect(restored.out).toContain(`else in the log: until ${between}, 3 entries more than in that backup\n`)
    expect(restored.out).toMatch(/^people, keys, settings, mail, activity and the public log: as of 2\S+Z$/m)
    const series = JSON.parse((await runCommand(['series', 'list', '--json'], env)).out) as { code?: string }[]
    expect(JSON.stringify(series)).toMatch(/first.*second/)
    expect(JSON.stringify(series)).not.toContain('third')
    expect(await readdir(tmpdir()).then(names => names.filter(name => name.startsWith('assize-restore-')))).toEqual([])
  })

  test('is drilled: restored elsewhere, verified, and gone again', async () => {
    const { status, out, err } = await run('backup', 'drill', place, '--until', between)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const lines = out.trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^same: the backup made 2\S+Z: \d+ rows in \d+ tables, 3 chains, 0 receipts$/),
      `figures, agreements, signatures, invoices and all else in the log: until ${between}, 3 entries more than in that backup`,
      expect.stringMatching(/^people, keys, settings, mail, activity and the public log: as of 2\S+Z$/),
      expect.stringMatching(/^newest entry: 2\S+Z, of 6$/),
      expect.stringMatching(/^restored and verified in [\d.]+ s; nothing of it is left$/),
    ])
  })

  test('is pruned, and refused with one line where it is damaged, missing, or not to be reached', async () => {
    expect((await run('backup', 'prune', place, '--keep', '30d')).out).toBe(
      `${place}: 0 backups removed, 0 bytes; 2 backups kept\n`,
    )
    const [name, kept] = [...storage.objects].find(([key]) => key.endsWith('.rows'))!
    storage.objects.set(name, { ...kept, body: Buffer.from(kept.body.map((byte, i) => (i === 99 ? byte ^ 1 : byte))) })
    const env: Record<string, string> = { ASSIZE_DATA: join(folder, 'never'), ...access }
    expect((await runCommand(['restore', place], env)).err).toMatch(
      /^assize: s3:\/\/backups\/prices cannot be restored: 000001-\w+\.rows is damaged: its bytes are not those that 000001.json names\n$/,
    )
    expect((await runCommand(['restore', `${place}/nowhere`], env)).err).toBe(
      `assize: there is no backup in ${place}/nowhere\n`,
    )
    const { AWS_SECRET_ACCESS_KEY_FILE: _, ...without } = env
    expect((await runCommand(['restore', place], without)).err).toContain('s3:// needs AWS_ACCESS_KEY_ID and')
    expect((await runCommand(['restore', place], { ...env, ASSIZE_S3_ENDPOINT: 'http://10.0.0.1' })).err).toBe(
      'assize: ASSIZE_S3_ENDPOINT: 10.0.0.1 must be asked by https\n',
    )
    expect(await readdir(folder)).not.toContain('never')
  })

  test('is called with the right words', async () => {
    expect((await run('backup')).err).toBe('assize: name a file, or a place with --to\n')
    expect((await run('backup', 'x', '--full-every', '3')).err).toBe('assize: --full-every goes with --to\n')
    expect((await run('backup', 'prune', place, '--keep', 'long')).err).toBe(
      'assize: --keep must be such as 30d, 12w or 48h, got "long"\n',
    )
    expect((await run('restore', place, '--until', 'noon')).err).toContain('--until must be an instant such as')
    expect((await run('restore', 'a-file', '--until', between)).err).toContain('--until goes with a set of backups')
  })

  longTest('leaves nothing of a drill that is killed', async () => {
    const scratch = await mkdtemp(join(folder, 'scratch-'))
    const file = join(folder, 'one.backup')
    expect(await run('backup', file)).toMatchObject({ status: 0 })
    const env = { ...processEnv, ...house.env, TMPDIR: scratch }
    const child: ChildProcess = spawn(process.execPath, [program, 'backup', 'drill', file], { env, stdio: 'ignore' })
    const until = async (isSo: (names: readonly string[]) => boolean) => {
      while (!isSo((await readdir(scratch, { recursive: true }).catch(() => [])).map(String))) await sleep(50)
    }
    await until(names => names.some(name => name.endsWith('postmaster.opts')))
    child.kill('SIGKILL')
    await until(names => !names.some(name => name.startsWith('assize-drill-')))
  })
})
