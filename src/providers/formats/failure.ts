// Recognises answers that are not data before the SDMX readers see them: errors and warnings with HTTP 200, XML errors and
// SOAP faults, HTML pages, plain text, empty bodies. The status alone proves nothing, so the body is checked first.
import type { Answer, AnswerProblem, ParsedAnswer, ProblemKind } from '../provider.ts'
import { countOf, firstMember, isRecord, itemsOf, member, parseJson, textOf } from './lossless.ts'
import { excerpt, failed, nothingRead, problem } from './problem.ts'
import { sniffXml, walkXml } from './xml.ts'

/** The form of a body by its first bytes. */
export type Body =
  | { readonly form: 'empty' | 'html' | 'text' }
  | { readonly form: 'json'; readonly value: unknown }
  /** The name of the outermost element, without its prefix. */
  | { readonly form: 'xml'; readonly root: string }
  | { readonly form: 'broken'; readonly reason: string }

/** A failure as described in a body. */
export interface Failure {
  /** An HTTP-like status, if the body contains one. */
  readonly status: number | null
  /** A code of the SDMX error list. */
  readonly code: number | null
  readonly message: string
}

export interface FailureRules {
  /** If true, a refused access is not about a key. */
  readonly keyless: boolean
  /** The meaning of an empty body with a success status. */
  readonly emptyBody: ProblemKind
  /** The meaning of "nothing found": an empty range, or a series that does not exist. */
  nothingFound(failure: Failure, status: number): 'empty' | 'unknown-series'
}

export function openBody(answer: Answer): Body {
  const text = answer.body
  const first = /[^\s\uFEFF]/.exec(text)
  if (first === null) return { form: 'empty' }
  if (first[0] === '{' || first[0] === '[') return openJson(text)
  if (first[0] !== '<') return { form: 'text' }
  const isHtml = answer.contentType !== null && /text\/html/i.test(answer.contentType)
  return isHtml ? { form: 'html' } : openXml(text)
}

function openJson(text: string): Body {
  try {
    return { form: 'json', value: parseJson(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'nested too deep'
    return { form: 'broken', reason: `not JSON: ${reason}` }
  }
}

function openXml(text: string): Body {
  const { root, hasDoctype } = sniffXml(text)
  if (root !== null && /^html$/i.test(root)) return { form: 'html' }
  if (hasDoctype) return { form: 'broken', reason: 'XML with a DOCTYPE is refused' }
  return root === null ? { form: 'broken', reason: 'not XML: no element found' } : { form: 'xml', root }
}

/** Whether the first line is the header of an SDMX table. */
function looksLikeTable(text: string): boolean {
  const end = text.indexOf('\n')
  return /TIME_PERIOD|OBS_VALUE|^\uFEFF?"?(?:DATAFLOW|STRUCTURE|KEY)\b.*[,;]/.test(
    text.slice(0, end < 0 ? 10_000 : Math.min(end, 10_000)),
  )
}

/** The parsed answer for a failure or an empty body; `null` if the body looks like data. */
export function recogniseFailure(answer: Answer, body: Body, rules: FailureRules): ParsedAnswer | null {
  const parsed = recognise(answer, body, rules)
  return rules.keyless && parsed?.problems[0]?.kind === 'bad-key'
    ? failed('provider-error', parsed.problems[0].message)
    : parsed
}

function recognise(answer: Answer, body: Body, rules: FailureRules): ParsedAnswer | null {
  const { status } = answer
  const found = findFailure(answer.body, body)
  if (found !== null) return weigh(found, status, rules)
  if (status >= 400) return failed(kindOfStatus(status), `HTTP ${status}: ${excerpt(answer.body) || 'no body'}`)
  if (body.form === 'empty' || status === 204) {
    return failed(rules.emptyBody, `HTTP ${status} with an empty body`)
  }
  if (body.form === 'html') return failed('provider-error', 'an HTML page was sent instead of data')
  return body.form === 'broken' ? failed('unreadable', body.reason) : null
}

function findFailure(text: string, body: Body): Failure | null {
  if (body.form === 'json') return readJsonFailure(body.value)
  if (body.form === 'xml') return readXmlFailure(text, body.root)
  return body.form === 'text' && !looksLikeTable(text) && text.length <= 2000
    ? { status: null, code: null, message: excerpt(text) }
    : null
}

function weigh(failure: Failure, status: number, rules: FailureRules): ParsedAnswer {
  const kind = kindOfFailure(failure, status)
  if (kind !== 'nothing-found') return failed(kind, failure.message)
  return rules.nothingFound(failure, status) === 'empty' ? nothingRead : failed('unknown-series', failure.message)
}

function kindOfFailure(failure: Failure, status: number): ProblemKind | 'nothing-found' {
  const own = failure.code ?? failure.status
  const byCode = own === null ? null : kindOfCode(own)
  if (byCode !== null) return byCode
  const byWords = kindOfWords(failure.message)
  if (byWords === 'nothing-found') return byWords
  return status >= 400 ? kindOfStatus(status) : (byWords ?? 'provider-error')
}

/** The SDMX error list first, then HTTP statuses, which several providers use as codes too. */
function kindOfCode(code: number): ProblemKind | 'nothing-found' | null {
  if (code === 100) return 'nothing-found'
  if (code === 110) return 'bad-key'
  if (code === 130 || code === 510) return 'too-large'
  if (code === 140 || code === 150 || code === 501) return 'bad-request'
  return code >= 400 ? kindOfStatus(code) : null
}

export function kindOfStatus(status: number): ProblemKind {
  if (status === 401 || status === 403) return 'bad-key'
  if (status === 404 || status === 410) return 'unknown-series'
  if (status === 413) return 'too-large'
  if (status === 429) return 'rate-limited'
  return status >= 400 && status < 500 ? 'bad-request' : 'provider-error'
}

const wordings: readonly (readonly [ProblemKind | 'nothing-found', RegExp])[] = [
  ['rate-limited', /exceeded the number of requests|rate limit|too many requests|quota/i],
  ['nothing-found', /no ?records? ?found|no results|no data (?:found|available)/i],
  ['too-large', /too large|asynchronous_response/i],
  ['bad-key', /api[ _-]?key|subscription key|unauthori[sz]ed|not authori[sz]ed/i],
  ['unknown-series', /could not find|not found|does not exist/i],
  ['bad-request', /key values in query|expecting \d+|invalid|syntax|semantic|bad request|unable to parse/i],
]

function kindOfWords(message: string): ProblemKind | 'nothing-found' | null {
  return wordings.find(([, pattern]) => pattern.test(message))?.[0] ?? null
}

const messageNames = ['label', 'message', 'Message', 'detail', 'title', 'faultstring', 'error_message', 'description']

/** The error or warning that a JSON body consists of; `null` if the body contains anything else. */
function readJsonFailure(value: unknown): Failure | null {
  if (!isRecord(value)) return null
  const errors = firstMember(value, ['error', 'errors', 'warning', 'fault', 'Fault'])
  if (errors !== undefined && !hasData(value)) {
    const first = Array.isArray(errors) ? errors[0] : errors
    return first === undefined ? null : describeFailure(first)
  }
  // Gateways in front of a service send only a message.
  const words = textOf(firstMember(value, ['message', 'Message']))
  return words === null || dataMembers.some(name => Object.hasOwn(value, name)) ? null : describeFailure(value)
}

const dataMembers = ['data', 'dataSets', 'structure', 'value', 'dimension']

/** The errors that a JSON data message contains next to its data. */
export function readJsonErrors(value: unknown): readonly AnswerProblem[] {
  return itemsOf(member(value, 'errors')).flatMap(error => {
    const failure = describeFailure(error)
    const kind = kindOfFailure(failure, 200)
    return kind === 'nothing-found' ? [] : [problem(kind, failure.message)]
  })
}

function hasData(value: unknown): boolean {
  const inner = member(value, 'data')
  return [value, inner].some(part => itemsOf(member(part, 'dataSets')).length > 0) || isRecord(member(value, 'value'))
}

function describeFailure(value: unknown): Failure {
  const code = countOf(firstMember(value, ['id', 'code', 'faultcode']))
  const words = textOf(value) ?? textOf(firstMember(value, messageNames))
  return {
    status: countOf(firstMember(value, ['status', 'statusCode'])),
    // Gateways put their own numbers into `code`; codes of SDMX and HTTP have three digits.
    code: code !== null && code >= 100 && code < 600 ? code : null,
    message: excerpt(words ?? '') || 'the provider answered with an error and no message',
  }
}

const failureRoots = new Set(['Error', 'Errors', 'error', 'errors', 'Fault', 'Exception'])
const messageElements = new Set(['Text', 'faultstring', 'message', 'Message', 'Reason'])

/** The error in an XML error message, a SOAP fault or the footer of a data message; `null` for any other document. */
function readXmlFailure(text: string, root: string): Failure | null {
  const isFault = root === 'Envelope' && /<(?:[\w.-]+:)?Fault[\s>]/.test(text.slice(0, 4000))
  const hasFooter = /<(?:[\w.-]+:)?Footer[\s>]/.test(text.slice(-4000))
  if (!failureRoots.has(root) && !isFault && !hasFooter) return null
  let code: string | null = null
  const messages: string[] = []
  const outermost = { open: false }
  try {
    walkXml(text, {
      open(_name, attributes) {
        code ??= attributes.code ?? null
        if (!outermost.open && attributes.message !== undefined) messages.push(attributes.message)
        outermost.open = true
      },
      close(name, content) {
        if (name === 'faultcode') code ??= content
        if (messageElements.has(name) && content.trim() !== '') messages.push(content)
      },
    })
  } catch {
    // The part that was read before the document broke off still identifies the error.
  }
  const number = /(\d{3})\s*$/.exec(code ?? '')
  return {
    status: null,
    code: number === null ? null : Number.parseInt(number[1]!, 10),
    message: excerpt(messages.join(' ')) || `the provider answered with an error of code ${code ?? 'unknown'}`,
  }
}
