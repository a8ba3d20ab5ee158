// The description of the API as a document: valid by the official schema, complete by the table that serves, strict in
// what linters require, and every example in it matches its schema.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { DescribedParameter, JsonSchema } from '../../src/http/api/description.ts'
import { buildOpenApi } from '../../src/http/docs/openapi.ts'
import { description } from '../../src/http/v1/description.ts'
import { examples } from '../../src/http/v1/examples.ts'
import { routes } from '../../src/http/v1/routes.ts'
import { schemas } from '../../src/http/v1/schemas.ts'
import { judge } from '../support/agreements/judged.ts'
import { Conformance } from '../support/clients/conformance.ts'

const document = buildOpenApi(description)
const conformance = new Conformance(document)
const written = JSON.parse(JSON.stringify(document)) as unknown
const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, ...get }))

/** Every value inside the document with the way to it. */
function* walk(value: unknown, way = '#'): Generator<{ way: string; value: Record<string, unknown> }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { way, value: value as Record<string, unknown> }
  for (const [key, item] of Object.entries(value)) yield* walk(item, `${way}/${key}`)
}

describe('the OpenAPI document', () => {
  test('is valid by the official schema of OpenAPI 3.1', () => {
    const text = readFileSync(new URL('../specimens/openapi/schema-3.1.json', import.meta.url), 'utf8')
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text) as object)
    expect(validate(written) ? [] : validate.errors).toEqual([])
    expect(validate({ ...(written as object), info: { title: 'without a version' } })).toBe(false)
  })

  test('describes every route with exactly the parameters that are read', () => {
    expect(Object.keys(document.paths).sort()).toEqual([...routes.map(({ path }) => path), '/health'].sort())
    for (const { path, parameters, summary } of routes) {
      const operation = document.paths[path]!.get
      const described = operation.parameters.map(each => conformance.resolve<DescribedParameter>(each))
      const inQuery = described.filter(each => each.in === 'query')
      expect(inQuery.map(({ name, schema }) => [name, schema])).toEqual(
        Object.values(parameters).map(({ name, schema }) => [name, schema]),
      )
      const inPath = described.filter(each => each.in === 'path').map(({ name }) => `{${name}}`)
      expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(operation.summary).toBe(summary)
    }
  })

  test('names no default that a generated client would send and be refused', () => {
    for (const { path, parameters } of routes) {
      const names = Object.keys(parameters)
      for (const { name, schema } of Object.values(parameters))
        expect([path, name, 'default' in schema]).toEqual([path, name, name === 'limit' && !names.includes('last')])
    }
  })

  test('has one operation with one type for the calculation', () => {
    const { responses } = document.paths['/pams/{pamId}/adjustment/calculation']!.get
    const { content } = responses[200] as { content: Record<string, { schema: object }> }
    expect(content['application/json']!.schema).toEqual({ $ref: '#/components/schemas/Calculation' })
  })

  test('answers with the schema the route names', () => {
    for (const { path, answer } of routes)
      expect(JSON.stringify(document.paths[path]!.get.responses[200])).toContain(`#/components/schemas/${answer}"`)
  })

  test('lists every status a caller can get, and security for all routes except health', () => {
    for (const { path, responses, security } of operations) {
      if (path === '/health') {
        expect(security).toEqual([])
        expect(Object.keys(responses)).toEqual(['200', '400', '405', 'default'])
        continue
      }
      expect(security).toBeUndefined()
      const missing = path.includes('{') ? ['404'] : []
      const all = ['200', '304', '400', '401', ...missing, '405', '429', '500', '503', 'default']
      expect(Object.keys(responses)).toEqual(all)
    }
    expect(document.security).toEqual([{ apiKey: [] }])
  })

  test('names operations once, groups each under a tag that is explained, and says what it does', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { operationId, summary, description, tags } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/)
      expect([summary, description].every(text => text.length > 10 && !text.includes('\n'))).toBe(true)
      expect(document.tags.map(({ name }) => name)).toContain(tags[0])
    }
    for (const { name } of document.tags) expect(operations.some(({ tags }) => tags.includes(name))).toBe(true)
  })

  test('has no reference that leads nowhere and no component that nothing uses', () => {
    const references = [...walk(written)].flatMap(({ value }) => (typeof value.$ref === 'string' ? [value.$ref] : []))
    for (const $ref of new Set(references)) expect(() => conformance.resolve({ $ref })).not.toThrow()
    const components = Object.entries(document.components).flatMap(([part, members]) =>
      Object.keys(members).map(name => `#/components/${part}/${name}`),
    )
    const unused = components.filter(path => !references.includes(path) && !path.includes('/securitySchemes/'))
    expect(unused).toEqual([])
  })

  test('explains every parameter, header, schema and field', () => {
    const bare = [...walk(written)].filter(({ way, value }) => {
      const isField = /\/properties\/[^/]+$/.test(way) || /^#\/components\/(?:schemas|headers)\/[^/]+$/.test(way)
      const isNamed = value.$ref !== undefined || value.type === 'array' || value.type === 'boolean'
      return isField && !isNamed && !value.description
    })
    expect(bare.map(({ way }) => way)).toEqual([])
  })

  test('allows no undocumented field', () => {
    const open = [...walk(document.components.schemas)].filter(
      ({ way, value }) =>
        value.type === 'object' &&
        value.properties !== undefined &&
        value.additionalProperties !== false &&
        !way.includes('/documents/'),
    )
    expect(open.map(({ way }) => way)).toEqual([])
  })
})

describe('examples', () => {
  test.each(operations)('of $operationId fit their parameters', ({ parameters }) => {
    for (const parameter of parameters) {
      const { name, schema, example } = conformance.resolve<DescribedParameter>(parameter)
      expect([name, conformance.problemsOf(schema, example)]).toEqual([name, []])
    }
  })

  test('of parameters are accepted values', () => {
    for (const { parameters } of routes)
      for (const { read, example } of Object.values(parameters)) expect(() => read(example)).not.toThrow()
  })

  test('are there for every answer and header, and fit', () => {
    const media = [...walk(written)].filter(({ way }) => way.endsWith('/content/application/json'))
    expect(media.length).toBeGreaterThan(10)
    for (const { way, value } of media) {
      const named = Object.values((value.examples ?? {}) as Record<string, { value: unknown }>).map(each => each.value)
      const all = 'example' in value ? [value.example] : named
      expect([way, all.length > 0]).toEqual([way, true])
      for (const example of all)
        expect([way, conformance.problemsOf(value.schema as JsonSchema, example)]).toEqual([way, []])
    }
    for (const header of Object.values(document.components.headers as Record<string, DescribedParameter>))
      expect(conformance.problemsOf(header.schema, header.example)).toEqual([])
  })

  test('would be noticed if they did not fit', () => {
    const { Values: values } = document.components.schemas
    expect(conformance.problemsOf(values!, { ...examples.Values, extra: 1 })).not.toEqual([])
    expect(conformance.problemsOf(values!, { ...examples.Values, total: '4' })).not.toEqual([])
  })

  test('are distinguished by their view', () => {
    for (const [name, other] of [
      ['Values', 'SummaryValues'],
      ['Adjustment', 'Calculation'],
    ] as const)
      expect(conformance.problemsOf(document.components.schemas[name]!, examples[other])).not.toEqual([])
  })

  test('have a receipt that recomputes, with its hash and its seal', async () => {
    expect((await judge(examples.Receipt)).problems).toEqual([])
  })

  test('name only schemas that exist', () => {
    for (const name of Object.keys(examples)) expect(Object.keys(schemas)).toContain(name)
  })
})
