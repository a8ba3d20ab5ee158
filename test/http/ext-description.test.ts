// The description of /ext/v1 as a document and as it is served: valid, complete, every example matches its schema, and
// real answers are compared with it.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DescribedParameter, JsonSchema } from '../../src/http/api/description.ts'
import { buildOpenApi } from '../../src/http/docs/openapi.ts'
import { description } from '../../src/http/ext/description/description.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { Conformance } from '../support/clients/conformance.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { pricedDocument } from '../support/houses/price-house.ts'
import { applyList, bracketList, keepLines, withMoney } from '../support/houses/priced-tenant.ts'
import { fillSample } from '../support/houses/sample.ts'

const document = buildOpenApi(description)
const conformance = new Conformance(document)
const written = JSON.parse(JSON.stringify(document)) as unknown
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map(operation => ({ path, ...operation })),
)
let tenant: Tenant

const { api } = house()
beforeAll(async () => {
  const reader = await api.tenant()
  tenant = await withMoney(reader)
  await fillSample(reader)
  await reader.apply(pricedDocument())
  await applyList(reader, 'steel-brackets', bracketList)
  const line = { invoice: '4711', line: '1', agreement: 'steel-brackets', item: 'BR-100', date: '2024-05-10' }
  await keepLines(reader, [{ ...line, quantity: '-5', unitPrice: '12.73' }])
})

/** Every value inside the document with the way to it. */
function* walk(value: unknown, way = '#'): Generator<{ way: string; value: Record<string, unknown> }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { way, value: value as Record<string, unknown> }
  for (const [key, item] of Object.entries(value)) yield* walk(item, `${way}/${key}`)
}

describe('the OpenAPI document of /ext/v1', () => {
  test('is valid by the official schema of OpenAPI 3.1, and served', async () => {
    const text = readFileSync(new URL('../specimens/openapi/schema-3.1.json', import.meta.url), 'utf8')
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text) as object)
    expect(validate(written) ? [] : validate.errors).toEqual([])
    expect(JSON.parse((await api.ask('/ext/openapi.json')).text)).toEqual(written)
  })

  test('describes every route with exactly the parameters that are read', () => {
    expect(Object.keys(document.paths).sort()).toEqual(description.routes.map(({ path }) => path).sort())
    for (const { path, parameters } of description.routes) {
      const described = operations.find(each => each.path === path)!.parameters
      const inQuery = described
        .map(each => conformance.resolve<DescribedParameter>(each))
        .filter(each => each.in === 'query')
      expect(inQuery.map(({ name, schema }) => [name, schema])).toEqual(
        Object.values(parameters).map(({ name, schema }) => [name, schema]),
      )
      for (const { read, example } of Object.values(parameters)) expect(() => read(example)).not.toThrow()
    }
  })

  test('names the scope that a key needs, on every route, and the media types of every answer', () => {
    for (const { path, needs } of description.routes) {
      const { security, description: words, responses } = operations.find(each => each.path === path)!
      expect(security, path).toEqual([{ apiKey: [needs] }, { apiKeyAsUser: [needs] }])
      expect(words, path).toContain(`scope \`${needs}\``)
      for (const [status, answer] of Object.entries(responses).filter(([each]) => each !== '304'))
        expect(
          Object.keys(conformance.resolve(answer as { readonly content: object }).content),
          `${path} ${status}`,
        ).toContain('application/json')
    }
  })

  test('has no reference that leads nowhere and no component that nothing uses', () => {
    const references = [...walk(written)].flatMap(({ value }) => (typeof value.$ref === 'string' ? [value.$ref] : []))
    for (const $ref of new Set(references)) expect(() => conformance.resolve({ $ref })).not.toThrow()
    const components = Object.entries(document.components).flatMap(([part, members]) =>
      Object.keys(members).map(name => `#/components/${part}/${name}`),
    )
    expect(components.filter(path => !references.includes(path) && !path.includes('/securitySchemes/'))).toEqual([])
  })

  test('explains every field, and every example fits', () => {
    const bare = [...walk(written)].filter(({ way, value }) => {
      const isField = /\/properties\/[^/]+$/.test(way) || /^#\/components\/(?:schemas|headers)\/[^/]+$/.test(way)
      const isNamed = value.$ref !== undefined || value.type === 'array' || value.type === 'boolean'
      return isField && !isNamed && !value.description
    })
    expect(bare.map(({ way }) => way)).toEqual([])
    const media = [...walk(written)].filter(({ way }) => way.endsWith('/content/application/json'))
    for (const { way, value } of media) {
      const named = Object.values((value.examples ?? {}) as Record<string, { value: unknown }>).map(each => each.value)
      for (const example of 'example' in value ? [value.example] : named)
        expect([way, conformance.problemsOf(value.schema as JsonSchema, example)]).toEqual([way, []])
    }
  })
})

describe('real answers', () => {
  test.each([
    ['/series', ''],
    ['/series', '?q=steel&limit=1'],
    ['/series', '?format=csv'],
    ['/series', '?limit=x'],
    ['/adjustments', ''],
    ['/adjustments', '?date=2024-05-01'],
    ['/adjustments', '?period=2024-Q2&format=csv'],
    ['/adjustments', '?ids=nobody'],
    ['/values', '?series=nobody'],
    ['/values', ''],
    ['/changes', '?from=start'],
    ['/changes', '?from=start&limit=2&format=csv'],
    ['/changes', '?cursor=nothing'],
    ['/vintages', '?from=start&limit=2'],
    ['/prices', '?date=2024-05-01'],
    ['/prices', '?from=2024-01-01&format=csv&limit=2'],
    ['/prices', '?period=x'],
    ['/invoices', ''],
    ['/invoices', '?pam=nobody'],
    ['/invoices', '?format=csv'],
  ])('to %s%s are as described', async (path, query) => {
    const reply = await tenant.ext(`${path}${query}`)
    expect(conformance.problemsOfReply(path, reply)).toEqual([])
  })
})

describe('real answers about one', () => {
  test.each([
    ['/series/{seriesId}/next', '/series/{id}/next'],
    ['/series/{seriesId}/next', '/series/{id}/next?format=csv'],
    ['/series/{seriesId}/next', '/series/nobody/next'],
    ['/pams/{pamId}/prices', '/pams/steel-brackets/prices'],
    ['/pams/{pamId}/prices', '/pams/steel-brackets/prices?item=none'],
    ['/pams/{pamId}/prices', '/pams/nobody/prices'],
    ['/invoices/{supplierKey}/{number}', '/invoices/steel-brackets/4711'],
    ['/invoices/{supplierKey}/{number}', '/invoices/steel-brackets/none'],
  ])('%s as %s are as described', async (path, address) => {
    const { data } = await tenant.extJson<ExtWire<'SeriesList'>>('/series?limit=1')
    const reply = await tenant.ext(address.replace('{id}', data[0]!.id))
    expect(conformance.problemsOfReply(path, reply)).toEqual([])
  })
})

describe('real checks', () => {
  const bodies = operations.find(({ path }) => path === '/check')!.requestBody as {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>
  }

  test.each(Object.entries(bodies.content))('of the example in %s are as described', async (type, { example }) => {
    const body = typeof example === 'string' ? example : JSON.stringify(example)
    for (const query of ['', '?format=csv', '?limit=1']) {
      const reply = await tenant.ext(`/check${query}`, { method: 'POST', body, headers: { 'content-type': type } })
      expect(reply.status).toBe(query === '?limit=1' ? 400 : 200)
      expect(conformance.problemsOfReply('/check', reply)).toEqual([])
    }
    const refused = await tenant.ext('/check', { method: 'POST', body, headers: { 'content-type': 'text/plain' } })
    expect([refused.status, conformance.problemsOfReply('/check', refused)]).toEqual([415, []])
  })

  test('accept what the schema of a line accepts', () => {
    const { schema, example } = bodies.content['application/json']!
    expect(conformance.problemsOf(schema, example)).toEqual([])
  })
})

describe('the page at /docs', () => {
  test('shows the routes of both', async () => {
    const { text } = await api.ask('/docs')
    for (const { operationId } of operations) expect(text).toContain(`id="${operationId}"`)
    expect(text).toContain('id="listSeries"')
    expect(text).toContain('href="/ext/openapi.json"')
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(match => match[1]!)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
