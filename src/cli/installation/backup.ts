// `backup`: the whole installation in one file, or one more backup of a set that holds only what is new; while everything keeps running.
import { basename } from 'node:path'
import type { Config } from '../../config.ts'
import { type LastBackup, noteLastBackup } from '../../storage/backups/last-backup.ts'
import { takeBackup } from '../../storage/backups/take-backup.ts'
import { createBackup } from '../../storage/upkeep/backup.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { type Command, type Invocation, Misuse, textOption, writeJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { noteCommand } from '../frame/operator.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'
import { openPlace } from './backup-place.ts'

/** With one a day, everything once a month. */
const usualFullEvery = 30

export const backupCommand: Command = {
  name: 'backup',
  usage: '<file> | --to <folder|s3://bucket/prefix> [--full-every N]',
  summary:
    'Writes the whole installation into a new file, or adds what is new to a set of backups. Keep them safe: keys and sign-ins depend on their content.',
  options: {
    to: { type: 'string', value: 'PLACE', help: 'a folder or s3://bucket/prefix: first everything, then what is new' },
    'full-every': {
      type: 'string',
      value: 'N',
      help: `with --to: every Nth has everything again; ${usualFullEvery} if left out`,
    },
  },
  positionals: { least: 0, most: 1 },
  async run(invocation) {
    const [file] = invocation.positionals
    const to = textOption(invocation, 'to')
    if ((file === undefined) === (to === null)) throw new Misuse('name a file, or a place with --to')
    const fullEvery = readFullEvery(invocation, to)
    return withInstallation(invocation, async (installation, config) => {
      // Before it is made, so that it is in it as well.
      await noteCommand(installation.sql, invocation, 'installation.backup', 'a backup was begun', nameOf(file ?? to!))
      const progress = new ProgressLine(invocation)
      progress.show('writing the backup', 0, 0)
      const done = () => progress.clear()
      const last = await (file !== undefined
        ? writeFile(invocation, installation, file, done)
        : addToSet(invocation, installation, config, { to: to!, fullEvery }, done)
      ).finally(done)
      await noteLastBackup(config.dataFolder, last)
      if (installation.embedded === null && !invocation.json)
        invocation.terminal.out('the secret is not in it: store ASSIZE_SECRET as well\n')
      return 0
    })
  },
}

function readFullEvery(invocation: Invocation, to: string | null): number {
  const text = textOption(invocation, 'full-every')
  if (text === null) return usualFullEvery
  if (to === null) throw new Misuse('--full-every goes with --to')
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new Misuse(`--full-every must be a whole number from 1 to 9999, got "${text}"`)
  return Number.parseInt(text, 10)
}

/** Without the folders of this machine. */
const nameOf = (place: string) => (place.startsWith('s3://') ? place : basename(place))

/** It travels with the backup of an embedded installation only. */
const secretOf = ({ embedded, secret }: Installation) => (embedded === null ? null : secret)

async function writeFile(
  invocation: Invocation,
  installation: Installation,
  given: string,
  done: () => void,
): Promise<LastBackup> {
  const report = await createBackup(installation.owner, given, secretOf(installation))
  const { file, bytes, tables, createdAt } = report
  done()
  if (invocation.json) writeJson(invocation, { file, bytes, tables })
  else {
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    invocation.terminal.out(`${file}: ${countOf(rows, 'row')}, ${countOf(bytes, 'byte')}\n`)
  }
  return { at: createdAt, where: file, bytes }
}

async function addToSet(
  invocation: Invocation,
  installation: Installation,
  config: Config,
  { to, fullEvery }: { readonly to: string; readonly fullEvery: number },
  done: () => void,
): Promise<LastBackup> {
  const store = await openPlace(to, config)
  const taken = await takeBackup(installation.owner, store, { secret: secretOf(installation), fullEvery })
  const { where, number, createdAt, buildsOn, whyFull, rows, bytes } = taken
  done()
  if (invocation.json) writeJson(invocation, taken)
  else {
    const what = buildsOn === null ? `everything (${whyFull})` : `what is new since ${buildsOn}`
    invocation.terminal.out(`${where}: backup ${number}, ${what}: ${countOf(rows, 'row')}, ${countOf(bytes, 'byte')}\n`)
  }
  return { at: createdAt, where, bytes }
}
