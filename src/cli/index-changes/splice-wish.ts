// Options of a splice on the command line: shared by the command that proposes one and the command that offers it to many.
import type { SpliceWish } from '../../agreements/terms/splice.ts'
import { directions } from '../../core/index-changes/index-event.ts'
import { spliceMethods } from '../../core/index-changes/splice-schema.ts'
import { choiceOption, type Invocation, Misuse, textOption } from '../frame/command.ts'
import { neededOption } from '../frame/statement-options.ts'

export const wishOptions = {
  from: { type: 'string', value: 'S', help: 'the series that ends, as PROVIDER/code' },
  to: { type: 'string', value: 'S', help: 'the series that takes its place' },
  method: { type: 'string', value: 'M', help: `${spliceMethods.join(', ')}; default OVERLAP` },
  reason: { type: 'string', value: 'T', help: 'the reason; default with --event: the sentence of the event' },
  event: { type: 'string', value: 'ID', help: 'the event behind the splice' },
  input: { type: 'string', value: 'N', help: 'names of inputs, with commas; default: all inputs that read the series' },
  window: { type: 'string', value: 'A..B', help: 'the first and last common period; default: the last of them' },
  point: { type: 'string', value: 'P', help: 'with POINT: the common period' },
  decimals: { type: 'string', value: 'N', help: 'decimals of a computed coefficient; default 6, half up' },
  direction: {
    type: 'string',
    value: 'D',
    help: `${directions.join(' or ')}; default: the direction that keeps prices`,
  },
  coefficient: { type: 'string', value: 'C', help: 'with PUBLISHED: as it is printed' },
  source: { type: 'string', value: 'T', help: 'with PUBLISHED: who published it' },
  join: { type: 'string', value: 'P', help: 'the last period that is read from the old series' },
  base: { type: 'string', value: 'B', help: 'with RELEVEL: a period of the new series, or a number' },
  'wait-final': { type: 'boolean', help: 'refuse while a value of the window is preliminary' },
} as const

export function readWish(invocation: Invocation): SpliceWish {
  const text = (name: string) => textOption(invocation, name)
  const method = choiceOption(invocation, 'method', spliceMethods) ?? 'OVERLAP'
  const event = text('event')
  const direction = choiceOption(invocation, 'direction', directions)
  return {
    old: neededOption(invocation, 'from'),
    successor: neededOption(invocation, 'to'),
    inputs:
      text('input')
        ?.split(',')
        .map(name => name.trim()) ?? null,
    ground: {
      kind: event === null ? 'BY_HAND' : 'EVENT',
      event,
      change: null,
      sentence: neededOption(invocation, 'reason'),
    },
    method,
    direction: method === 'PUBLISHED' ? null : direction,
    window: windowOf(text('window')),
    point: text('point'),
    rounding: text('decimals') === null ? null : { dp: decimalsOf(text('decimals')!), mode: 'HALF_UP' },
    published:
      method === 'PUBLISHED' || text('coefficient') !== null
        ? {
            direction: direction ?? 'OLD_TO_NEW',
            digits: neededOption(invocation, 'coefficient'),
            source: method === 'PUBLISHED' ? neededOption(invocation, 'source') : (text('source') ?? ''),
          }
        : null,
    join: text('join'),
    base: text('base'),
    waitFinal: invocation.options['wait-final'] === true,
    candidates: [],
  }
}

function windowOf(written: string | null): SpliceWish['window'] {
  if (written === null) return null
  const [from, until, ...more] = written.split('..')
  if (from === undefined || until === undefined || more.length > 0 || from === '' || until === '')
    throw new Misuse(`--window is written as 2025-01..2025-12, got "${written}"`)
  return { from, until }
}

function decimalsOf(written: string): number {
  if (!/^(\d|1[0-2])$/.test(written)) throw new Misuse(`--decimals must be a number from 0 to 12, got "${written}"`)
  return Number.parseInt(written, 10)
}
