// What befell the database while a command was at work, in a sentence for whoever ran it. Commands change everything or
// nothing, so each of these can be run again. What is no trouble of the database's is left alone.
import { Refusal } from '../core/refusal.ts'

const lost = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08003',
  '08006',
])
const busy = new Set(['57014', '55P03', '53300'])
const diskFull = '53100'

/** `null` for everything else. */
export function explainDatabase(error: unknown): Refusal | null {
  const { code, syscall, message } = (error ?? {}) as { code?: unknown; syscall?: unknown; message?: unknown }
  if (typeof code !== 'string') return null
  // A file that is not there has the same code as a socket that is not.
  if (lost.has(code) || (code === 'ENOENT' && syscall === 'connect'))
    return new Refusal(
      'unavailable',
      'the database went away; what was not confirmed may not have been done: run the command again',
    )
  if (busy.has(code))
    return new Refusal('unavailable', 'the database is too busy to answer in time; run the command again')
  if (code === diskFull)
    return new Refusal(
      'unavailable',
      `the disk of the database is full: ${message}; nothing was changed: make room and run the command again`,
    )
  return null
}
