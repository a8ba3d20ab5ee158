// Has others vouch for the public log while a server runs: witnesses sign its newest checkpoint every hour, and a time-stamping
// authority stamps it once a day. Whoever is away is a warning and is asked again; a witness that has seen another history
// stops the log.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Policy, type PolicyWitness, readPolicy } from '../core/proof/policy.ts'
import { readNote } from '../core/proof/signed-note.ts'
import { type Instant, microsOf } from '../core/time/instant.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { lastCosigned, lastStamped } from '../storage/proof/anchors.ts'
import { addCosignature, addStamp, type StoredCheckpoint } from '../storage/proof/checkpoints.ts'
import { loadLogGrowth } from '../storage/proof/log-files.ts'
import type { PublicLog } from '../storage/proof/public-log.ts'
import { askWitnesses } from './ask-witnesses.ts'
import type { Ask } from './bounded-request.ts'
import { askForStamp } from './time-stamp.ts'

interface AnchorsLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export interface AnchorContext {
  readonly sql: Sql
  readonly publicLog: PublicLog
  readonly witnessesFile: string | null
  readonly timeAuthority: string | null
  readonly ask: Ask
  readonly log: AnchorsLog
  readonly now: () => Instant
}

const hourMicros = 3600 * 1_000_000
/** Pauses, a little shorter than an hour and a day, so that a due round is not missed by a moment. */
const pauses = { witnessMicros: hourMicros - 60 * 1_000_000, stampMicros: 24 * hourMicros - 60 * 1_000_000 }

/** Every round is an hour after the one before; what failed is tried again then. */
const times = { firstMs: 90_000, everyMs: 3_600_000 }

interface Anchors {
  /** Gives up what is under way. */
  stop(): Promise<void>
}

export function startAnchors(parts: AnchorContext, stopping: AbortController, { firstMs, everyMs } = times): Anchors {
  const { signal } = stopping
  const keepGoing = async () => {
    for (let pauseMs = firstMs; !signal.aborted; pauseMs = everyMs) {
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
      if (!signal.aborted) await anchorOnce(parts)
    }
  }
  const hasWork = parts.witnessesFile !== null || parts.timeAuthority !== null
  const going = hasWork ? keepGoing() : Promise.resolve()
  return {
    async stop() {
      stopping.abort()
      await going
    },
  }
}

/** One round: whatever is due. It throws nothing; what failed is in the log. */
export async function anchorOnce(parts: AnchorContext): Promise<void> {
  const { publicLog, log, witnessesFile, timeAuthority } = parts
  const failed = (message: string) => (error: unknown) =>
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, message)
  try {
    const { checkpoint } = await publicLog.advance(null)
    // Why it is stopped is reported by the log itself.
    if (checkpoint === null || checkpoint.size === 0) return
    if (witnessesFile !== null)
      await haveWitnessed(parts, witnessesFile, checkpoint).catch(failed('witnesses could not be asked'))
    if (timeAuthority !== null)
      await haveStamped(parts, timeAuthority, checkpoint).catch(failed('no time stamp was obtained; asked again later'))
  } catch (error) {
    failed('the public log could not be anchored; tried again later')(error)
  }
}

/** Id of a witness: its key, whatever name a policy gives it. */
function idOf({ key }: PolicyWitness): string {
  return `${key.name}+${key.id}`
}

async function haveWitnessed(parts: AnchorContext, file: string, checkpoint: StoredCheckpoint): Promise<void> {
  const { sql, publicLog, ask, log, now } = parts
  const policy: Policy = readPolicy(await readFile(file, 'utf8'))
  const last = await lastCosigned(sql, checkpoint.origin)
  const due = policy.witnesses.filter(witness => {
    const signed = last.get(idOf(witness))
    if (witness.url === null || signed?.size === checkpoint.size) return false
    return signed === undefined || microsOf(now()) - microsOf(signed.at) >= pauses.witnessMicros
  })
  const grown = due.length === 0 ? null : await loadLogGrowth(sql, checkpoint.origin)
  // Another process may have signed a larger tree meanwhile, and tiles are those of the newest.
  if (grown === null || grown.size !== checkpoint.size) return
  const { cosignatures, troubles } = await askWitnesses(ask, due, {
    note: checkpoint.note,
    readTiles: grown.readTiles,
    lastSize: witness => last.get(idOf(witness))?.size ?? 0,
  })
  for (const { witness, line } of cosignatures) await addCosignature(sql, checkpoint, { witness: idOf(witness), line })
  for (const { witness, why, isContradiction, largerSize } of troubles) {
    const facts = { witness: witness.name, url: witness.url, reason: why }
    if (isContradiction) log.error(facts, 'a witness has seen another history of the public log')
    else log.warn(facts, 'a witness did not sign; it is asked again in an hour')
    if (largerSize !== null)
      await publicLog.compareSize(checkpoint.origin, largerSize, `the witness ${witness.key.name}`)
  }
  if (cosignatures.length > 0)
    log.info({ size: checkpoint.size, witnesses: cosignatures.map(({ witness }) => witness.name) }, 'cosigned')
}

async function haveStamped(parts: AnchorContext, url: string, checkpoint: StoredCheckpoint): Promise<void> {
  const { sql, ask, log, now } = parts
  const { origin, size, note } = checkpoint
  const last = await lastStamped(sql, origin)
  if (last !== null && (last.size === size || microsOf(now()) - microsOf(last.at) < pauses.stampMicros)) return
  const { authority, stampedAt, token } = await askForStamp(ask, url, readNote(note).text, now())
  await addStamp(sql, { origin, size, authority, token, stampedAt })
  log.info({ size, authority, stampedAt }, 'stamped')
}
