// Explains in a sentence what went wrong with the database while a command ran. Commands change everything or nothing, so
// each of these can be run again. Other errors are left alone.
import { Refusal } from '../../core/refusal.ts'

const lost = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECTION_REFUSED',
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
  // A missing file has the same code as a missing socket.
  if (lost.has(code) || (code === 'ENOENT' && syscall === 'connect'))
    return new Refusal(
      'unavailable',
      'the connection to the database was lost; unconfirmed changes may not have been made: run the command again',
    )
  if (busy.has(code))
    return new Refusal('unavailable', 'the database is too busy to answer in time; run the command again')
  if (code === diskFull)
    return new Refusal(
      'unavailable',
      `the disk of the database is full: ${message}; nothing was changed: free some space and run the command again`,
    )
  return null
}
