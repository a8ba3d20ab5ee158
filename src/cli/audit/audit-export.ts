// `audit export`: past acts as the lines that the audit stream writes, whether or not it is on; by time, or behind the last act
// that a shipper has.
import { open } from 'node:fs/promises'
import { auditLimits } from '../../audit/audit-limits.ts'
import { ocsfLine } from '../../audit/ocsf.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Instant, parseCut, parseDayOrInstant } from '../../core/time/instant.ts'
import { loadActs, numberActs } from '../../storage/audit/audit-acts.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import { type Command, type Invocation, Misuse, textOption } from '../frame/command.ts'
import { whyUnusable } from '../frame/file-trouble.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorSpec, noteCommand } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'

export const auditExportCommand: Command = {
  name: 'audit export',
  usage: '--after <sequence> | --from <instant> --to <instant> [--out F]',
  summary:
    'Writes acts as lines of OCSF JSON, the same bytes as ASSIZE_AUDIT=stdout: the acts of a time span, or all acts after one.',
  options: {
    after: {
      type: 'string',
      value: 'N',
      help: 'every act after the act with metadata.sequence N; 0: all acts',
    },
    from: { type: 'string', value: 'T', help: 'the first day, or an instant such as 2026-01-31T12:00:00Z; included' },
    to: { type: 'string', value: 'T', help: 'the last day or instant; included' },
    out: { type: 'string', value: 'F', help: 'a new file that only you can read; default: standard output' },
    as: actorSpec,
  },
  positionals: { least: 0, most: 0 },
  run(invocation) {
    const part = partOf(invocation)
    const out = textOption(invocation, 'out')
    return withInstallation(invocation, async ({ sql }) => {
      const lines = linesOf(sql, part)
      if (out === null)
        for await (const { text } of lines) {
          invocation.terminal.file(text)
          await invocation.terminal.drained?.()
        }
      else invocation.terminal.err(`assize: ${out}: ${countOf(await writeFile(out, lines), 'act')}\n`)
      await noteCommand(sql, invocation, 'audit.export', 'acts were exported', part.words)
      return 0
    })
  },
}

interface ExportedPart {
  /** The number of the last act that is left out. */
  readonly after: number
  readonly span: { readonly from: Instant; readonly to: Instant } | null
  /** Words of the act that notes the export. */
  readonly words: string
}

function partOf(invocation: Invocation): ExportedPart {
  const after = textOption(invocation, 'after')
  if (after === null) {
    const span = { from: momentOf(invocation, 'from', parseDayOrInstant), to: momentOf(invocation, 'to', parseCut) }
    if (span.from > span.to) throw new Misuse('--from is after --to')
    return { after: 0, span, words: `${span.from} to ${span.to}` }
  }
  if (textOption(invocation, 'from') !== null || textOption(invocation, 'to') !== null)
    throw new Misuse('--after goes without --from and --to')
  if (!/^\d{1,15}$/.test(after)) throw new Misuse(`--after must be the metadata.sequence of an act, got "${after}"`)
  return { after: Number.parseInt(after, 10), span: null, words: `after ${after}` }
}

function momentOf(invocation: Invocation, name: string, read: (text: string) => Instant | null): Instant {
  const text = textOption(invocation, name)
  const moment = text === null ? null : read(text)
  if (moment === null)
    throw new Misuse(`--${name} must be a day or an instant such as 2026-01-31T12:00:00Z, got "${text ?? ''}"`)
  return moment
}

interface Piece {
  readonly text: string
  readonly count: number
}

/** Reads page by page, so that memory does not grow with the number of acts. */
async function* linesOf(sql: Sql, { after, span }: ExportedPart): AsyncGenerator<Piece> {
  while ((await numberActs(sql, auditLimits.numbered)) > 0);
  for (let behind = after; ; ) {
    const page = await loadActs(sql, behind, auditLimits.lines, span)
    if (page.length === 0) return
    yield { text: page.map(each => `${ocsfLine(each)}\n`).join(''), count: page.length }
    behind = page.at(-1)!.number
  }
}

async function writeFile(path: string, pieces: AsyncIterable<Piece>): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch(error => {
    if (error.code === 'EEXIST') throw new Refusal('conflict', `${path} exists already`)
    throw new Refusal('invalid', `${path} cannot be written: ${whyUnusable(error)}`)
  })
  let count = 0
  try {
    for await (const piece of pieces) {
      await file.appendFile(piece.text)
      count += piece.count
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return count
}
