// `backup prune`: removes the backups of a set that are too old and that no newer one builds on.
import { instantOfMicros } from '../../core/time/instant.ts'
import { pruneBackups } from '../../storage/backups/prune.ts'
import { type Command, Misuse, textOption, writeJson } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'
import { countOf } from '../frame/progress.ts'
import { openPlace } from './backup-place.ts'

export const backupPruneCommand: Command = {
  name: 'backup prune',
  usage: '<folder|s3://bucket/prefix> --keep 30d [--dry-run]',
  summary: 'Removes the backups of a set that are older. What a kept one builds on stays, and the newest always.',
  options: {
    keep: { type: 'string', value: 'T', help: 'how long backups are kept: 30d, 12w or 48h' },
    'dry-run': { type: 'boolean', help: 'tells what would be removed and removes nothing' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const config = configOf(invocation)
    if (config === null) return 1
    const keepFrom = instantOfMicros((Date.now() - readKeep(textOption(invocation, 'keep'))) * 1000)
    const isTrial = invocation.options['dry-run'] === true
    const report = await pruneBackups(await openPlace(invocation.positionals[0]!, config), keepFrom, isTrial)
    if (invocation.json) writeJson(invocation, report)
    else {
      const { where, kept, removed, leftovers, bytes } = report
      const also = leftovers === 0 ? '' : ` and ${countOf(leftovers, 'leftover')}`
      const words = isTrial ? 'would be removed' : 'removed'
      invocation.terminal.out(
        `${where}: ${countOf(removed.length, 'backup')}${also} ${words}, ${countOf(bytes, 'byte')}; ${countOf(kept.length, 'backup')} kept\n`,
      )
    }
    return 0
  },
}

const hourMs = 3_600_000
const units: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs }

function readKeep(text: string | null): number {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text ?? '') ?? []
  if (count === undefined)
    throw new Misuse(`--keep must be such as 30d, 12w or 48h, got ${text === null ? 'nothing' : `"${text}"`}`)
  return Number.parseInt(count, 10) * units[unit!]!
}
