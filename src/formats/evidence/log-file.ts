// An evidence package's part of the public log: checkpoints with their cosignatures, proofs that each grows into the newest,
// time stamps over them, and slips of signed entries.
import { opensslCommand, readStamp, type TimeStamp } from '../../core/proof/time-stamp.ts'
import { Refusal } from '../../core/refusal.ts'
import { bytesOfBase64 } from '../../core/text/base64.ts'
import {
  instant,
  listOf,
  literal,
  mapping,
  optional,
  readWhole,
  text,
  type Written,
  wholeNumber,
} from '../../core/text/exact-shape.ts'
import { readStrictJson } from '../../core/text/strict-json.ts'

export const logPath = 'log.json'

export function slipPath(seq: number): string {
  return `slips/${seq}.tlog-proof`
}

/** The number of the entry in a slip's path; null for another path. */
export function seqOfSlip(path: string): number | null {
  const digits = /^slips\/([1-9]\d{0,14})\.tlog-proof$/.exec(path)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 10)
}

/** The commands by which who has the unpacked package checks its stamp of that number, counted from 1. */
export function stampCommand(stamp: TimeStamp, number: number): string {
  const path = `stamp-${number}.der`
  const take = `sed -n 's/^ *"token": "\\(.*\\)"$/\\1/p' log.json | sed -n ${number}p | openssl base64 -d -A -out ${path}`
  return `${take} && ${opensslCommand(stamp, path, 'token')}`
}

export function stampCommandsIn(log: string): readonly string[] {
  return (readLogFile(log)?.stamps ?? []).flatMap(({ token }, at) => {
    const stamp = readStamp(bytesOfBase64(token) ?? new Uint8Array())
    return stamp === null ? [] : [stampCommand(stamp, at + 1)]
  })
}

const note = text('A checkpoint as a signed note (C2SP), with all its signatures')
const vkey = text('A key as C2SP writes it')

const logFile = mapping('The public log, as far as it is about this package.', {
  format: literal('assize-log/1', 'The form of this file'),
  origin: text('The name of the log'),
  keys: listOf(vkey, 'Of the log; the first signs its newest checkpoint'),
  witnesses: listOf(mapping('A witness that the installation asks.', { name: text('Its name'), key: vkey })),
  checkpoint: note,
  earlier: listOf(
    mapping('An earlier checkpoint.', {
      checkpoint: note,
      proof: listOf(text('A hash, base64'), 'That it grows into the newest one'),
    }),
    'Ascending',
  ),
  stamps: listOf(
    mapping('A time stamp (RFC 3161) over the text of a checkpoint.', {
      size: wholeNumber('Of that checkpoint'),
      authority: text('Who gave it, as the operator says'),
      stampedAt: instant('The time in it'),
      token: text('base64'),
    }),
  ),
  announcements: optional(
    listOf(
      mapping('A leaf that announced another key of the log, signed by the key before and by the next one.', {
        leaf: text('The note'),
        index: wholeNumber('Its place in the log'),
        proof: listOf(text('A hash, base64'), 'That it is in the tree of the newest checkpoint'),
      }),
      'Ascending; left out where the log has had one key',
    ),
  ),
})

export type LogFile = Written<typeof logFile>

export function formatLogFile(file: LogFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

const bounds = { length: 100_000_000, depth: 8, values: 4_000_000 }

/** The log file; null for a text of any other form. */
export function readLogFile(source: string): LogFile | null {
  try {
    const json = readStrictJson(source, logPath, bounds)
    const read = readWhole(logFile, json, logPath)
    return formatLogFile(json as unknown as LogFile) === source ? { ...read } : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
