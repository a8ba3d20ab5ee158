// Checks inputs: which series is read and how. Whether the series exists, and fits, is checked later in bind.ts.

import { compare, one, type Ratio, zero } from '../../numbers/ratio.ts'
import type { Problem } from '../../refusal.ts'
import { lastDayOf, type Period, parsePeriod } from '../../time/period.ts'
import { Numbers } from '../controls/clause-reader.ts'
import {
  type Conversion,
  formulaBounds,
  type Input,
  type Link,
  type MissingPolicy,
  type Using,
  type Window,
} from '../formula.ts'
import { isRawList, isRawMap, joinPath, type Raw } from '../raw.ts'
import type { ClauseNumber, Span } from '../terms.ts'
import { checkSuccessor } from './check-successor.ts'
import { baseOf, Fields, quote } from './fields.ts'
import {
  convertUsingKey,
  expandKey,
  inputKeys,
  interpolateKey,
  missingKey,
  operationKey,
  pickKey,
  trendDecimals,
  usingKey,
  vintageKey,
  weekKey,
} from './input-keys.ts'
import { namesAt } from './keys.ts'

/** `paramNames`: the params that a weight may name. */
export function checkInputs(raw: Raw | undefined, paramNames: readonly string[], problems: Problem[]): Input[] {
  if (raw === undefined || raw === null) return []
  const fields = Fields.of(raw, 'inputs', problems, 'inputs is a mapping from a name to how its series is read')
  const names = fields.keys()
  if (names.length > formulaBounds.inputs)
    fields.refuse('', `${names.length} inputs are written; at most ${formulaBounds.inputs} are allowed`)
  return names
    .slice(0, formulaBounds.inputs)
    .map(name => checkInput(name, fields.raw(name), paramNames, problems))
    .filter(input => input !== null)
}

function checkInput(
  name: string,
  raw: Raw | undefined,
  paramNames: readonly string[],
  problems: Problem[],
): Input | null {
  const what = 'an input is a mapping with its series'
  const fields = Fields.at(raw, joinPath('inputs', name), problems, what, 'inputs.*', inputKeys)
  if (!isRawMap(raw)) return null
  const series = fields.series('series')
  const weight = checkWeight(fields, paramNames)
  const baseRaw = fields.raw('base')
  const base =
    baseRaw === undefined || baseRaw === null ? null : baseOf(baseRaw, joinPath(fields.path, 'base'), problems)
  const lag = fields.span('lag') ?? { count: 0, unit: 'day' }
  const window = checkWindow(fields, 'inputs.*')
  const expand = fields.chosen('expand', expandKey) === 'MONTHLY'
  const week = fields.chosenOrNull('week', weekKey)
  const using = fields.chosen('using', usingKey)
  const interpolate = fields.chosen('interpolate', interpolateKey) === 'DAILY'
  const pick = fields.chosen('pick', pickKey)
  const vintage = fields.chosen('vintage', vintageKey)
  const missing = checkMissing(fields)
  const convert = checkConversion(fields, { lag, window, using })
  const links = checkLinks(fields)
  const successor = checkSuccessor(fields, series)
  const round = fields.rounding('round')
  fields.finish()
  if (interpolate && window !== null) fields.refuse('window', 'window does not go with interpolate')
  if (interpolate && pick === 'LATEST_PUBLISHED') fields.refuse('pick', 'pick does not go with interpolate')
  // An input keeps its place and weight even where its series is not readable: that problem is reported already.
  return {
    name,
    series: series ?? '',
    weight,
    base,
    lag,
    window,
    expand,
    week,
    using,
    interpolate,
    pick,
    vintage,
    missing,
    convert,
    links,
    successor,
    round,
  }
}

function checkWeight(fields: Fields, paramNames: readonly string[]): ClauseNumber | null {
  const weight = new Numbers([], paramNames).read(fields, 'weight')
  if (weight?.value != null && (compare(weight.value, zero) < 0 || compare(weight.value, one) > 0))
    fields.refuse('weight', `weight is a fraction of 1 (0.35 for 35 %), got ${quote(weight.text)}`)
  return weight
}

const windowForms = 'a span such as 3 months, { last: 5 } or { from: 21, to: 20 }'

function checkWindow(fields: Fields, place: string): Window | null {
  const raw = fields.raw('window')
  if (isRawMap(raw)) return checkDays(fields, raw, `${place}.window`)
  if (isRawList(raw)) return fields.refuse('window', `window must be ${windowForms}, got ${quote(raw)}`)
  const span = fields.span('window')
  if (span === null) return null
  if (span.count < 1) return fields.refuse('window', `window must be at least one period, got ${quote(raw)}`)
  return { kind: 'span', span }
}

function checkDays(input: Fields, raw: Raw, place: string): Window | null {
  const what = `window must be ${windowForms}`
  const fields = Fields.at(raw, joinPath(input.path, 'window'), input.problems, what, place, inputKeys)
  const count = fields.whole('last', 1, 1000)
  const from = fields.whole('from', 1, 31)
  const to = fields.whole('to', 1, 31)
  const least = fields.whole('least', 1, 1000) ?? 1
  fields.finish()
  if (fields.has('last')) {
    for (const key of ['from', 'to']) if (fields.has(key)) fields.refuse(key, `${key} does not go with last`)
    if (count !== null && least > count)
      return fields.refuse('least', `least must not be more than last, got ${least} and ${count}`)
    return count === null ? null : { kind: 'last', count, least }
  }
  if (!fields.has('from') && !fields.has('to')) return fields.refuse('', `a window is ${windowForms}`)
  for (const key of ['from', 'to']) if (!fields.has(key)) fields.refuse(key, `${key} is missing`)
  return from === null || to === null ? null : { kind: 'days', from, to, least }
}

const missingForms = missingKey.help.replace(/\.$/, '')

function checkMissing(fields: Fields): MissingPolicy {
  const block: MissingPolicy = { kind: 'BLOCK' }
  const raw = fields.raw('missing')
  if (raw === undefined || raw === null || raw === 'BLOCK') return block
  if (raw === 'LAST_KNOWN') return { kind: 'LAST_KNOWN' }
  if (!isRawMap(raw) || raw.size !== 1) {
    fields.refuse('missing', `missing must be ${missingForms}, got ${quote(raw)}`)
    return block
  }
  const place = 'inputs.*.missing'
  const policy = new Fields(raw, joinPath(fields.path, 'missing'), fields.problems, namesAt(place, inputKeys))
  const found = checkYoyEstimate(policy) ?? checkTrend(policy) ?? checkFallback(policy) ?? checkAgreed(policy)
  policy.finish()
  return found ?? block
}

function checkYoyEstimate(fields: Fields): MissingPolicy | null {
  if (!fields.has('yoyEstimate')) return null
  const raw = fields.raw('yoyEstimate') ?? new Map<string, Raw>()
  const path = joinPath(fields.path, 'yoyEstimate')
  const place = 'inputs.*.missing.yoyEstimate'
  const estimate = Fields.at(raw, path, fields.problems, 'write { capPct: 2 }', place, inputKeys)
  const cap = estimate.decimal('capPct')
  estimate.finish()
  if (cap !== null && compare(cap.value, zero) < 0)
    estimate.refuse('capPct', `capPct must not be negative, got ${quote(cap.text)}`)
  return { kind: 'YOY_ESTIMATE', capPct: cap?.value ?? null }
}

function checkTrend(fields: Fields): MissingPolicy | null {
  if (!fields.has('trend')) return null
  const path = joinPath(fields.path, 'trend')
  const what = 'write { over: 12 months, dp: 3 }'
  const raw = fields.raw('trend')
  const trend = Fields.at(raw, path, fields.problems, what, 'inputs.*.missing.trend', inputKeys)
  if (!isRawMap(raw)) return null
  const over = trend.span('over')
  const dp = trend.whole('dp', trendDecimals.least, trendDecimals.most)
  trend.finish()
  for (const key of ['over', 'dp']) if (!trend.has(key)) trend.refuse(key, `${key} is missing: ${what}`)
  if (over !== null && over.count < 1)
    return trend.refuse('over', `over must be at least one period, got ${quote(trend.raw('over'))}`)
  return over === null || dp === null ? null : { kind: 'TREND', over, dp }
}

function checkFallback(fields: Fields): MissingPolicy | null {
  if (!fields.has('fallback')) return null
  const series = fields.series('fallback')
  return series === null ? null : { kind: 'FALLBACK', series }
}

function checkAgreed(fields: Fields): MissingPolicy | null {
  if (!fields.has('agreed')) return null
  const agreed = Fields.of(
    fields.raw('agreed'),
    joinPath(fields.path, 'agreed'),
    fields.problems,
    'write { 2025-10: 325.1 }',
  )
  const values = new Map<string, Ratio>()
  for (const period of agreed.keys()) {
    const value = agreed.decimal(period)
    if (parsePeriod(period) === null) agreed.refuse(period, `"${period}" is not a period such as 2025-10`)
    else if (value === null) continue
    else values.set(period, value.value)
  }
  return { kind: 'AGREED', values }
}

interface OwnReading {
  readonly lag: Span
  readonly window: Window | null
  readonly using: Using
}

function checkConversion(input: Fields, own: OwnReading): Conversion | null {
  const raw = input.raw('convert')
  if (raw === undefined || raw === null) return null
  const what = 'convert is a mapping with fx or scale'
  const place = 'inputs.*.convert'
  const fields = Fields.at(raw, joinPath(input.path, 'convert'), input.problems, what, place, inputKeys)
  const hasFx = fields.has('fx')
  const series = hasFx ? fields.series('fx') : null
  const operation = hasFx ? fields.requiredChosen('operation', operationKey) : null
  if (!hasFx) fields.raw('operation')
  const lag = fields.span('lag') ?? own.lag
  const isWindowWritten = fields.has('window')
  const window = isWindowWritten ? checkWindow(fields, place) : own.window
  const using = fields.has('using') ? fields.chosen('using', convertUsingKey) : own.using
  const each = fields.truth('each')
  const scale = fields.decimal('scale')
  if (each)
    for (const key of ['lag', 'window'])
      if (fields.has(key))
        fields.refuse(key, `${key} does not go with each: every observation takes the rate of its own period`)
  if (!hasFx) {
    for (const key of ['operation', 'lag', 'window', 'using', 'each'])
      if (fields.has(key)) fields.refuse(key, `${key} needs fx`)
    if (!fields.has('scale')) fields.refuse('', 'convert needs fx or scale')
  }
  if (scale !== null && compare(scale.value, zero) <= 0)
    fields.refuse('scale', `scale must be more than 0, got ${quote(scale.text)}`)
  fields.finish()
  const fx = series === null || operation === null ? null : { series, operation, lag, window, using, isWindowWritten }
  return { fx, scale: scale?.value ?? null, each }
}

function checkLinks(input: Fields): Link[] {
  const raw = input.raw('links')
  if (raw === undefined || raw === null) return []
  if (!isRawList(raw)) {
    input.refuse('links', `links must be a list of { series, until, coefficient }, got ${quote(raw)}`)
    return []
  }
  if (raw.length > formulaBounds.links)
    input.refuse('links', `at most ${formulaBounds.links} links are allowed, got ${raw.length}`)
  return raw
    .map((item, i) => checkLink(item, joinPath(joinPath(input.path, 'links'), i), input.problems))
    .filter(link => link !== null)
}

function checkLink(raw: Raw, path: string, problems: Problem[]): Link | null {
  const what = 'a link is written as { series, until: 2015-12, coefficient: 1.1276 }'
  const fields = Fields.at(raw, path, problems, what, 'inputs.*.links.*', inputKeys)
  if (!isRawMap(raw)) return null
  const series = fields.series('series')
  const until = checkEdge(fields, 'until')
  const from = checkEdge(fields, 'from')
  const coefficient = fields.decimal('coefficient')
  const round = fields.rounding('round')
  fields.finish()
  if (!fields.has('until') && !fields.has('from')) fields.refuse('', 'a link needs until or from')
  if (!fields.has('coefficient')) fields.refuse('coefficient', 'coefficient is missing')
  else if (coefficient !== null && compare(coefficient.value, zero) <= 0)
    fields.refuse('coefficient', `coefficient must be more than 0, got ${quote(coefficient.text)}`)
  if (from !== null && until !== null && lastDayOf(until) < lastDayOf(from))
    fields.refuse('until', `until (${fields.text('until')}) lies before from (${fields.text('from')})`)
  return series === null || coefficient === null ? null : { series, from, until, coefficient: coefficient.value, round }
}

function checkEdge(fields: Fields, key: string): Period | null {
  const text = fields.text(key)
  if (text === null) return null
  return parsePeriod(text) ?? fields.refuse(key, `${key} must be a period such as 2015-12, got ${quote(text)}`)
}

/** Every series a formula reads, with the place where it is written. */
export function seriesOf(inputs: readonly Input[]): { path: string; series: string }[] {
  return inputs.flatMap(input => {
    const path = joinPath('inputs', input.name)
    return [
      { path: `${path}.series`, series: input.series },
      ...input.links.map((link, i) => ({ path: `${path}.links[${i}].series`, series: link.series })),
      ...(input.convert?.fx ? [{ path: `${path}.convert.fx`, series: input.convert.fx.series }] : []),
      ...(input.missing.kind === 'FALLBACK'
        ? [{ path: `${path}.missing.fallback`, series: input.missing.series }]
        : []),
    ]
  })
}
