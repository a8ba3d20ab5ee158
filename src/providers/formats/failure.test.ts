import { describe, expect, test } from 'vitest'
import type { Answer } from '../provider.ts'
import { type FailureRules, kindOfStatus, openBody, readJsonErrors, recogniseFailure } from './failure.ts'
import { parseJson } from './lossless.ts'
import { excerpt } from './problem.ts'

const rules: FailureRules = { keyless: false, emptyBody: 'provider-error', nothingFound: () => 'empty' }

function answer(body: string, status = 200, contentType: string | null = null): Answer {
  return { status, contentType, url: null, codes: [], body }
}

function kindsOf(given: Answer, by: FailureRules = rules): readonly string[] | null {
  return recogniseFailure(given, openBody(given), by)?.problems.map(problem => problem.kind) ?? null
}

const sdmxError = (code: number, text: string) =>
  `<?xml version="1.0"?><message:Error><message:ErrorMessage code="${code}"><com:Text>${text}</com:Text></message:ErrorMessage></message:Error>`

describe('recognising failures', () => {
  test('recognises data', () => {
    expect(kindsOf(answer('DATAFLOW,FREQ,TIME_PERIOD,OBS_VALUE\n'))).toBeNull()
    expect(kindsOf(answer('{"dataSets":[],"structure":{}}'))).toBeNull()
    expect(kindsOf(answer('<message:GenericData/>'))).toBeNull()
  })

  test.each([
    [100, []],
    [110, ['bad-key']],
    [130, ['too-large']],
    [140, ['bad-request']],
    [150, ['bad-request']],
    [500, ['provider-error']],
    [501, ['bad-request']],
    [503, ['provider-error']],
    [510, ['too-large']],
  ])('reads SDMX error %i by its code, whatever the status', (code, kinds) => {
    expect(kindsOf(answer(sdmxError(code, 'x')))).toEqual(kinds)
    expect(kindsOf(answer(sdmxError(code, 'x'), 404))).toEqual(kinds)
  })

  test('asks the provider what "nothing found" means', () => {
    const strict: FailureRules = { ...rules, nothingFound: () => 'unknown-series' }
    expect(kindsOf(answer(sdmxError(100, 'No results')), strict)).toEqual(['unknown-series'])
    expect(kindsOf(answer('NoRecordsFound', 404), strict)).toEqual(['unknown-series'])
    expect(kindsOf(answer('NoRecordsFound', 404))).toEqual([])
  })

  test('reads a SOAP fault, alone or in its envelope', () => {
    const fault = '<S:Fault><faultcode>150</faultcode><faultstring>wrong</faultstring></S:Fault>'
    expect(kindsOf(answer(fault))).toEqual(['bad-request'])
    expect(kindsOf(answer(`<S:Envelope><S:Body>${fault}</S:Body></S:Envelope>`))).toEqual(['bad-request'])
    expect(kindsOf(answer('<gesmes:Envelope><Cube/></gesmes:Envelope>'))).toBeNull()
  })

  test('reads the footer of a data message', () => {
    const footer = '<f:Footer><f:Message code="413"><c:Text>Too big</c:Text></f:Message></f:Footer>'
    expect(kindsOf(answer(`<m:GenericData><m:Header/>${footer}</m:GenericData>`))).toEqual(['too-large'])
  })

  test('reads an error that is cut off', () => {
    expect(kindsOf(answer('<Error><ErrorMessage code="140"><Text>wrong</Te'))).toEqual(['bad-request'])
  })

  test.each([
    ['{"error":[{"status":404,"id":100,"label":"ERR_NOT_FOUND"}]}', []],
    ['{"error":[{"status":413,"id":413,"label":"ASYNCHRONOUS_RESPONSE"}]}', ['too-large']],
    ['{"warning":{"status":413,"label":"later"}}', ['too-large']],
    ['{"errors":[{"code":400,"title":"wrong"}]}', ['bad-request']],
    ['{"error":"Too many requests"}', ['rate-limited']],
    ['{"statusCode":429,"message":"Rate limit is exceeded."}', ['rate-limited']],
    ['{"message":"Service unavailable"}', ['provider-error']],
    ['{"error":{"code":"API_KEY_INVALID","message":"Invalid api_key"}}', ['bad-key']],
  ])('reads %s', (body, kinds) => {
    expect(kindsOf(answer(body))).toEqual(kinds)
  })

  test('leaves errors next to data to the reader of the data', () => {
    const body = '{"errors":[{"code":413,"title":"cut"}],"data":{"dataSets":[{}]}}'
    expect(kindsOf(answer(body))).toBeNull()
    expect(readJsonErrors(parseJson(body))).toEqual([{ kind: 'too-large', message: 'cut' }])
  })

  test.each([
    ['Not enough key values in query, expecting 13 got 12', 'bad-request'],
    ['You have exceeded the number of requests currently permitted.', 'rate-limited'],
    ['Could not find Dataflow and/or DSD related with this data request', 'unknown-series'],
    ['The response is too large', 'too-large'],
    ['Something else went wrong', 'provider-error'],
  ])('reads the words "%s"', (body, kind) => {
    expect(kindsOf(answer(body))).toEqual([kind])
  })

  test('treats an HTML page as an error, by its first bytes or by its content type', () => {
    expect(kindsOf(answer('<!DOCTYPE html><html><body>Sorry</body></html>'))).toEqual(['provider-error'])
    expect(kindsOf(answer('\n<HTML>'))).toEqual(['provider-error'])
    expect(kindsOf(answer('<div>Sorry</div>', 200, 'charset=utf-8; text/html'))).toEqual(['provider-error'])
  })

  test('refuses a DOCTYPE in XML', () => {
    const bomb = '<?xml version="1.0"?><!-- x --><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    expect(kindsOf(answer(bomb))).toEqual(['unreadable'])
  })

  test('treats broken JSON and endless nesting as unreadable', () => {
    expect(kindsOf(answer('{"dataSets":['))).toEqual(['unreadable'])
    expect(kindsOf(answer('['.repeat(200_000)))).toEqual(['unreadable'])
  })

  test('uses the status if the body says nothing', () => {
    expect(kindsOf(answer('', 200))).toEqual(['provider-error'])
    expect(kindsOf(answer('', 204), { ...rules, emptyBody: 'unknown-series' })).toEqual(['unknown-series'])
    expect(kindsOf(answer('', 404))).toEqual(['unknown-series'])
    expect(kindsOf(answer('<html>', 503))).toEqual(['provider-error'])
    expect(kindsOf(answer('KEY,TIME_PERIOD,OBS_VALUE', 500))).toEqual(['provider-error'])
    expect([401, 403, 406, 410, 413, 422, 429, 502].map(kindOfStatus)).toEqual([
      'bad-key',
      'bad-key',
      'bad-request',
      'unknown-series',
      'too-large',
      'bad-request',
      'rate-limited',
      'provider-error',
    ])
  })

  test('does not blame the key if none is needed', () => {
    expect(kindsOf(answer('', 403), { ...rules, keyless: true })).toEqual(['provider-error'])
  })

  test('keeps messages short and on one line', () => {
    expect(excerpt('a\n  b\tc')).toBe('a b c')
    expect(excerpt('x'.repeat(1000))).toHaveLength(201)
  })
})
