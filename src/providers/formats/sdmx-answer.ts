// Parses an answer of an SDMX provider: checks whether it is data, finds its format, and interprets its observations by the
// provider's rules. Never throws, whatever the provider sent.
import { type Day, parseDay } from '../../core/time/day.ts'
import type { Answer, AnswerProblem, ParsedAnswer } from '../provider.ts'
import { type Body, type FailureRules, openBody, readJsonErrors, recogniseFailure } from './failure.ts'
import { isJsonStat, readJsonStat } from './json-stat.ts'
import { firstMember, member, textOf } from './lossless.ts'
import { failed } from './problem.ts'
import { SdmxCollector, type SdmxDialect, type SdmxSink } from './sdmx.ts'
import { parseDataUrl, type SdmxCode, type SdmxFlow } from './sdmx-code.ts'
import { type FlowlessTable, readSdmxCsv } from './sdmx-csv.ts'
import { isSdmxJson, readSdmxJson } from './sdmx-json.ts'

export interface SdmxRules extends FailureRules {
  readonly dialect: SdmxDialect
  /** Days after the date of the answer are announcements, not observations. */
  readonly dropsLaterDays: boolean
  /** The meaning of the columns before the time, for tables without a flow. */
  flowlessTable?(columns: readonly string[]): FlowlessTable
}

export function readSdmxAnswer(answer: Answer, rules: SdmxRules): ParsedAnswer {
  const body = openBody(answer)
  const failure = recogniseFailure(answer, body, rules)
  if (failure !== null) return failure
  const asked = askedSeries(answer, rules.dialect)
  const collector = new SdmxCollector({
    dialect: rules.dialect,
    asked: answer.codes,
    askedFlow: commonFlow(asked),
    notAfter: rules.dropsLaterDays ? dayOfAnswer(body) : null,
  })
  const problems = readBody(answer.body, body, rules, asked, collector.sink)
  if (problems === null) return failed('unreadable', 'the answer is not a readable data message')
  const parsed = collector.finish()
  return { series: parsed.series, problems: [...problems, ...parsed.problems] }
}

/** Passes the observations to the sink; `null` if the body is not a data message. */
function readBody(
  text: string,
  body: Body,
  rules: SdmxRules,
  asked: readonly SdmxCode[],
  sink: SdmxSink,
): readonly AnswerProblem[] | null {
  if (body.form === 'text')
    return readSdmxCsv([text], sink, { withoutFlow: columns => flowless(columns, rules, asked) })
  if (body.form !== 'json') return null
  if (isJsonStat(body.value)) return readJsonStat(body.value, sink)
  return isSdmxJson(body.value) ? [...readJsonErrors(body.value), ...readSdmxJson(body.value, sink)] : null
}

/** The requested series, by code or else by address. */
function askedSeries(answer: Answer, dialect: SdmxDialect): readonly SdmxCode[] {
  const byCode = answer.codes.map(code => dialect.parseCode(code)).filter(code => code !== null)
  if (byCode.length > 0) return byCode
  const byUrl = answer.url === null ? null : parseDataUrl(answer.url)
  return byUrl === null ? [] : [byUrl]
}

function commonFlow(asked: readonly SdmxCode[]): SdmxFlow | null {
  const flow = asked[0]?.flow ?? null
  return asked.every(code => code.flow.id === flow?.id) ? flow : null
}

/** A table without a flow has the requested key, or else the key that the provider's rules find in its columns. */
function flowless(columns: readonly string[], rules: SdmxRules, asked: readonly SdmxCode[]): FlowlessTable {
  const seen = rules.flowlessTable?.(columns) ?? { keyLength: columns.length, flow: null }
  return { keyLength: asked[0]?.key.length ?? seen.keyLength, flow: commonFlow(asked) ?? seen.flow }
}

function dayOfAnswer(body: Body): Day | null {
  if (body.form !== 'json') return null
  const prepared = textOf(member(firstMember(body.value, ['header', 'meta']), 'prepared'))
  return prepared === null ? null : parseDay(prepared.slice(0, 10))
}
