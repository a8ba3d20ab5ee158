// What a restore or a drill begins with: a file, or a set of backups up to an instant, fetched into a folder that is gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { sizeOfFile } from '../../import/source.ts'
import { openSet, type SetSource } from '../../storage/backups/restore-set.ts'
import { checkFile, type RestoreSource } from '../../storage/upkeep/restore.ts'
import { type Invocation, Misuse, type OptionSpec, textOption } from '../frame/command.ts'
import { countOf } from '../frame/progress.ts'
import { isSet, openPlace } from './backup-place.ts'

export const untilSpec: OptionSpec = {
  type: 'string',
  value: 'T',
  help: 'of a set: everything that was recorded up to this instant, such as 2026-11-18T09:30:00Z',
}

/** Of a file there is no point in time to choose. */
export type AnySource = RestoreSource & Partial<Pick<SetSource, 'point' | 'rolled'>>

export async function withSource<T>(
  invocation: Invocation,
  config: Config,
  work: (source: AnySource) => Promise<T>,
): Promise<T> {
  const place = invocation.positionals[0]!
  const until = readUntil(invocation)
  if (!(await isSet(place))) {
    if (until !== null) throw new Misuse('--until goes with a set of backups: a folder or s3://…')
    await sizeOfFile(place)
    return work(await checkFile(place))
  }
  const scratch = await mkdtemp(join(tmpdir(), 'assize-restore-'))
  try {
    return await work(await openSet(await openPlace(place, config), until, scratch))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function readUntil(invocation: Invocation): Instant | null {
  const text = textOption(invocation, 'until')
  if (text === null) return null
  const until = parseInstant(text)
  if (until === null) throw new Misuse(`--until must be an instant such as 2026-11-18T09:30:00Z, got "${text}"`)
  return until
}

/** What is from when. */
export function untilLines({ header, point, rolled }: AnySource): readonly string[] {
  const forward = rolled?.() ?? null
  const erased = (point?.erasedSince ?? []).map(
    at => `somebody who was erased ${at} is named again: run assize person erase for them`,
  )
  if (forward === null) return erased
  const { entries, unknownScopes, until } = forward
  const missing = unknownScopes.map(scope => `${scope} did not exist at ${header.createdAt}: nothing of it is here`)
  return [
    `figures, agreements, signatures, invoices and all else in the log: until ${until}, ${countOf(entries, 'entry', 'entries')} more than in that backup`,
    `people, keys, settings, mail, activity and the public log: as of ${header.createdAt}`,
    ...missing,
    ...erased,
  ]
}
