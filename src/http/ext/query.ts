// The parameters of /ext/v1 that v1 does not have.

import { startLabel } from '../../core/prices/price-list.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { frequencies } from '../../core/time/period.ts'
import { priceFormats, rowChoices } from '../../formats/price-files/price-file.ts'
import { limits } from '../../limits.ts'
import { changeKinds } from '../../read/change-kinds.ts'
import type { ChangeKind } from '../../storage/log/entry-kind.ts'
import { dayParameter, period } from '../api/query.ts'
import { choiceParameter, countParameter, type Parameter, refuse } from '../frame/parameters.ts'

export const frequency = choiceParameter('frequency', frequencies, 'Only series of this frequency')

export const code: Parameter<string> = {
  name: 'code',
  description: 'The series by the name that formulas use: `PROVIDER/code`',
  schema: { type: 'string', minLength: 1 },
  example: 'BLS/WPU101',
  read: text => (text === '' ? refuse('code', 'PROVIDER/code', text) : text),
}

export const search: Parameter<string> = {
  name: 'q',
  description: 'Only series whose name or code contains this text, in any case',
  schema: { type: 'string', minLength: 1, maxLength: limits.ext.searchLength },
  example: 'steel',
  read: text =>
    text === '' || text.length > limits.ext.searchLength
      ? refuse('q', `a text of 1 to ${limits.ext.searchLength} characters`, text)
      : text,
}

export const updatedSince: Parameter<Instant> = {
  name: 'updatedSince',
  description: 'Only series with something recorded after this RFC 3339 instant',
  schema: { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt].+$' },
  example: '2024-04-30T12:00:00Z',
  read: text => parseInstant(text) ?? refuse('updatedSince', 'an RFC 3339 instant with its zone', text),
}

export const latest = choiceParameter(
  'latest',
  ['true'] as const,
  'The newest period whose date has come and that has a number, as in v1; what is answered unless date or period is given',
)

export const rowStatus = choiceParameter(
  'status',
  ['SIGNED', 'OPEN', 'BLOCKED'] as const,
  'Only rows that both parties have signed, that are open, or that have no number',
)

/** Parameter of several names with commas between them. */
function namesParameter(
  name: string,
  most: number,
  description: string,
  example: string,
): Parameter<readonly string[]> {
  return {
    name,
    description,
    schema: { type: 'string', minLength: 1 },
    example,
    read: text => {
      const names = text.split(',')
      if (names.length > most || names.some(each => each === ''))
        refuse(name, `1 to ${most} names with commas between them`, text)
      return names
    },
  }
}

export const ids = namesParameter(
  'ids',
  limits.ext.ids,
  `Only these agreements: at most ${limits.ext.ids} ids or slugs with commas between them; 404 where one does not exist`,
  'steel-brackets,copper-wire',
)

export const seriesNames = namesParameter(
  'series',
  limits.ext.seriesAtOnce,
  `At most ${limits.ext.seriesAtOnce} ids, or names as formulas use them, with commas between them; 404 where one is not there`,
  'BLS/WPU101,ECB/EXR.D.USD.EUR.SP00.A',
)

export const pam: Parameter<string> = {
  name: 'pam',
  description: 'Only lines of this agreement, by id or slug; 404 where there is none',
  schema: { type: 'string', minLength: 1 },
  example: 'steel-brackets',
  read: text => (text === '' ? refuse('pam', 'the id or the slug of an agreement', text) : text),
}
export const invoicesFrom = dayParameter('from', 'Only lines of invoices of this day or later')
export const invoicesTo = dayParameter('to', 'Only lines of invoices of this day or earlier')

export const pricePeriod: Parameter<string> = {
  ...period,
  description: `The prices of one period: start, or ${period.description.replace(/^T/, 't')} nor with from and to`,
  schema: { type: 'string', pattern: `${String(period.schema.pattern)}|^start$` },
  read: text => (text === startLabel ? text : period.read(text)),
}
export const priceDate = dayParameter(
  'date',
  'The prices in force on this day; what no settled period prices is there as proposed; not together with period, from or to',
)
export const pricesFrom = dayParameter('from', 'Only prices that are in force on this day or later')
export const pricesTo = dayParameter('to', 'Only prices that are in force on this day or earlier')

export const priceFormat = choiceParameter(
  'format',
  priceFormats,
  'json or csv, which win over `Accept` and come page by page; or a whole file for another system',
)
export const fileFor = choiceParameter(
  'for',
  priceFormats,
  'The format of the file: what does not fit it is left out as well; json unless given',
)
export const only = choiceParameter(
  'only',
  rowChoices,
  'agreed: signed by both; signed: by at least one; all. With the last two, what is proposed beside a price in force is a row of its own. Files have agreed prices unless said otherwise',
)

/** Texts `NAME=VALUE` with commas between them. */
export const set: Parameter<ReadonlyMap<string, string>> = {
  name: 'set',
  description:
    'For files: texts for columns that items have no `erp_` key for, as `NAME=VALUE` with commas between them; of an IDoc also those of its control record',
  schema: { type: 'string', minLength: 3, maxLength: 4000 },
  example: 'EKORG=1000,SNDPRN=ASSIZE,RCVPRN=PRD100',
  read: text => {
    const pairs = text.split(',').map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
    if (pairs.some(([name]) => name === '')) refuse('set', 'NAME=VALUE with commas between them', text)
    return new Map(pairs as [string, string][])
  },
}

export const decimals: Parameter<number> = {
  name: 'decimals',
  description: 'For files: how many decimals a price may have in the other system, 0 to 15',
  schema: { type: 'integer', minimum: 0, maximum: 15 },
  example: '4',
  read: text =>
    /^(?:\d|1[0-5])$/.test(text) ? Number.parseInt(text, 10) : refuse('decimals', 'a whole number from 0 to 15', text),
}

export const item: Parameter<string> = {
  name: 'item',
  description: 'Only this item, by its key or by one that it replaces',
  schema: { type: 'string', minLength: 1 },
  example: 'BR-100',
  read: text => (text === '' ? refuse('item', 'the key of an item', text) : text),
}

export const lastValues = countParameter(
  'last',
  limits.ext.lastValues,
  null,
  `The newest N periods of each, ascending; 1 unless said otherwise, at most ${limits.ext.lastValues}`,
)

export const kinds: Parameter<readonly ChangeKind[]> = {
  name: 'kinds',
  description: `Only these, with commas between them: ${changeKinds.join(', ')}; a cursor belongs to them`,
  schema: { type: 'string', minLength: 1 },
  example: 'observations,formula,status',
  read: text => {
    const names = text.split(',')
    const known = names.map(name => changeKinds.find(kind => kind === name))
    if (known.includes(undefined)) refuse('kinds', `kinds of ${changeKinds.join(', ')} with commas between them`, text)
    return [...new Set(known as ChangeKind[])]
  },
}

export const wait: Parameter<number> = {
  name: 'wait',
  description: `Seconds for which the answer is held where there is nothing new, at most ${limits.ext.waitSeconds}`,
  schema: { type: 'integer', minimum: 0, maximum: limits.ext.waitSeconds },
  example: '20',
  read: text => {
    const seconds = /^(?:0|[1-9]\d?)$/.test(text) ? Number.parseInt(text, 10) : -1
    return seconds >= 0 && seconds <= limits.ext.waitSeconds
      ? seconds
      : refuse('wait', `a whole number from 0 to ${limits.ext.waitSeconds}`, text)
  },
}

/** A moment as it was written: a day, an instant or a cursor. */
export interface MomentText {
  readonly name: string
  readonly text: string
}

function momentParameter(name: string, description: string): Parameter<MomentText> {
  return {
    name,
    description: `${description}: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor of /changes without kinds`,
    schema: { type: 'string', minLength: 1, maxLength: 400 },
    example: '2024-04-30',
    read: text => (text === '' ? refuse(name, 'a day, an instant or a cursor of /changes', text) : { name, text }),
  }
}

export const since = momentParameter('since', 'Only what was published after this')
export const until = momentParameter('until', 'Only what was published by then; everything unless given')

export const changedSince = momentParameter(
  'changedSince',
  'Only agreements whose prices something may have changed after this: an entry, or an adjustment date that came',
)

export const onlyPam: Parameter<string> = {
  name: 'pam',
  description: 'Only this agreement, by id or slug; 404 where it does not exist',
  schema: { type: 'string', minLength: 1 },
  example: 'steel-brackets',
  read: text => (text === '' ? refuse('pam', 'an id or a slug', text) : text),
}
