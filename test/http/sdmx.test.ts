// `/sdmx/v2`: structures, availability, refusals and the frame around them, over a real server.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { follow } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'

const { api, tenant } = house()
beforeAll(async () => {
  await tenant.import(
    'series,period,value,published,name\nCUSTOM/metal,2024-01,101.10,2024-02-15,Metal\nCUSTOM/a.b,2024,1,2024-02-15,Two & <three>\n',
  )
})

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  api.ask(`/sdmx/v2${path}`, { method, headers: { ...tenant.authorization, ...headers } })

interface Structures {
  readonly dataflows?: readonly { readonly id: string; readonly structure?: string }[]
  readonly dataStructures?: readonly { readonly id: string; readonly isExternalReference: boolean }[]
  readonly codelists?: readonly {
    readonly id: string
    readonly isPartial?: boolean
    readonly codes?: readonly object[]
  }[]
  readonly conceptSchemes?: readonly { readonly id: string }[]
}
async function structures(path: string): Promise<Structures> {
  const { status, text } = await ask(`/structure${path}`)
  expect([path, status]).toEqual([path, 200])
  return (JSON.parse(text) as { data: Structures }).data
}
const namesIn = (found: Structures) =>
  Object.fromEntries(
    Object.entries(found).map(([type, list]) => [type, (list as { id: string }[]).map(({ id }) => id)]),
  )

describe('structures', () => {
  test('are one dataflow for each provider that is followed, and one for agreements', async () => {
    expect((await structures('/dataflow')).dataflows).toMatchObject([
      { id: 'CUSTOM', structure: 'urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=ASSIZE:CUSTOM(1.0)' },
      { id: 'AGREEMENTS' },
    ])
  })

  test('are found by type, agency, id and version, each of which may be any', async () => {
    const lists = ['CL_FREQ', 'CL_OBS_STATUS']
    for (const path of [
      'codelist/ASSIZE/CL_FREQ,CL_OBS_STATUS/1.0',
      '*/*/CL_FREQ,CL_OBS_STATUS/~',
      'codelist/X,ASSIZE/CL_OBS_STATUS,CL_FREQ/1.0.0,+',
    ])
      expect(namesIn(await structures(`/${path}`))).toEqual({ codelists: lists })
    expect(Object.keys(await structures(''))).toEqual(['dataflows', 'dataStructures', 'conceptSchemes', 'codelists'])
  })

  test('bring what they refer to, and what refers to them, as far as asked', async () => {
    const of = async (references: string, from = 'dataflow/ASSIZE/CUSTOM') =>
      namesIn(await structures(`/${from}?references=${references}`))
    const flow = { dataflows: ['CUSTOM'] }
    const structure = { dataStructures: ['CUSTOM'] }
    const codes = { codelists: ['CL_FREQ', 'CL_OBS_STATUS', 'CL_VERSION_TAG', 'CL_CUSTOM_SERIES'] }
    expect(await of('none')).toEqual(flow)
    expect(await of('children')).toEqual({ ...flow, ...structure })
    expect(await of('descendants')).toEqual({ ...flow, ...structure, conceptSchemes: ['CONCEPTS'], ...codes })
    expect(await of('all')).toEqual({ ...flow, ...structure, conceptSchemes: ['CONCEPTS'], ...codes })
    expect(await of('codelist')).toEqual({ ...flow, ...codes })
    expect(await of('parents', 'codelist/ASSIZE/CL_CUSTOM_SERIES')).toEqual({
      ...structure,
      codelists: ['CL_CUSTOM_SERIES'],
    })
    expect(await of('ancestors', 'codelist/ASSIZE/CL_CUSTOM_SERIES')).toEqual({
      ...flow,
      ...structure,
      codelists: ['CL_CUSTOM_SERIES'],
    })
  })

  test('come as stubs, and with some of their items, where that is asked', async () => {
    const stubs = await structures('/dataflow/ASSIZE/CUSTOM?references=children&detail=referencestubs')
    expect(stubs.dataStructures).toEqual([expect.objectContaining({ id: 'CUSTOM', isExternalReference: true })])
    expect(stubs.dataStructures![0]).not.toHaveProperty('dataStructureComponents')
    expect(stubs.dataflows![0]).toHaveProperty('structure')
    const [codes] = (await structures('/codelist/ASSIZE/CL_CUSTOM_SERIES/1.0/a@b')).codelists!
    expect(codes).toMatchObject({ isPartial: true, codes: [{ id: 'a@b', name: 'Two & <three>' }] })
  })

  test('come as SDMX-ML 3.0, and as 2.1 for readers that ask for plain XML', async () => {
    const path = '/structure/datastructure/ASSIZE/CUSTOM/1.0?references=children'
    const [newer, older] = await Promise.all([
      ask(path, { accept: 'application/vnd.sdmx.structure+xml;version=3.0.0' }),
      ask(path, { accept: 'application/xml' }),
    ])
    expect(newer.headers['content-type']).toBe('application/vnd.sdmx.structure+xml;version=3.0.0')
    expect(newer.text).toContain('schemas/v3_0/message')
    expect(newer.text).toContain('<com:Name xml:lang="en">Two &amp; &lt;three&gt;</com:Name>')
    expect(older.headers['content-type']).toBe('application/xml')
    expect(older.text).toContain('schemas/v2_1/message')
    expect(older.text).toContain(
      '<Ref id="CL_FREQ" version="1.0" agencyID="ASSIZE" package="codelist" class="Codelist"/>',
    )
  })
})

test('availability gives the values of each dimension that a query would find', async () => {
  const { text } = await ask('/availability/dataflow/ASSIZE/CUSTOM/1.0/*.A')
  expect((JSON.parse(text) as { data: object }).data).toMatchObject({
    dataConstraints: [
      { role: 'Actual', cubeRegions: [{ keyValues: [{ id: 'SERIES', values: [{ value: 'a@b' }] }, { id: 'FREQ' }] }] },
    ],
  })
  const narrowed = await ask('/availability/dataflow/ASSIZE/CUSTOM/1.0/*/FREQ?startPeriod=2024-01', {
    accept: 'application/xml',
  })
  expect(narrowed.text).toContain(
    '<str:CubeRegion include="true"><str:KeyValue id="FREQ" include="true"><str:Value>A</str:Value><str:Value>M</str:Value></str:KeyValue></str:CubeRegion>',
  )
  expect((await ask('/availability/dataflow/ASSIZE/CUSTOM/1.0/nothing')).status).toBe(404)
})

describe('what is refused', () => {
  const data = '/data/dataflow/ASSIZE/CUSTOM/1.0'
  const refused: readonly (readonly [path: string, status: number, code: number, says: string])[] = [
    [`${data}/nothing`, 404, 100, 'nothing that is served here'],
    ['/data/dataflow/ASSIZE/BLS', 404, 100, 'nothing that is served here'],
    ['/data/dataflow/OTHER/CUSTOM', 404, 100, 'nothing that is served here'],
    ['/data/dataflow/ASSIZE/CUSTOM/2.0', 404, 100, 'nothing that is served here'],
    ['/structure/categoryscheme', 404, 100, 'nothing that is served here'],
    ['/nothing', 404, 100, 'there is nothing at this address'],
    ['/structure/thing', 400, 140, 'there is no type "thing"'],
    [`${data}?asof=2024-01-01`, 400, 140, 'unknown parameter "asof" (did you mean "asOf"?)'],
    [`${data}?startPeriod=March`, 400, 140, 'startPeriod must be a period'],
    [`${data}?lastNObservations=0`, 400, 140, 'lastNObservations must be a whole number'],
    [`${data}?c[TIME_PERIOD]=co:2024`, 400, 140, 'c[TIME_PERIOD] takes periods'],
    [`${data}/a.b.c.d`, 422, 150, 'a key has 2 parts here (SERIES.FREQ)'],
    [`${data}?startPeriod=2025&endPeriod=2024`, 422, 150, 'startPeriod must not be later'],
    [`${data}?updatedAfter=2024-05-01&asOf=2024-04-01`, 422, 150, 'updatedAfter must not be later than asOf'],
    [`${data}?c[AGREEMENT]=x`, 422, 150, 'CUSTOM has no component AGREEMENT'],
    [`${data}?limit=0`, 400, 140, 'limit must be a whole number from 1'],
    [`${data}?sort=SERIES`, 501, 501, 'sort is not served'],
    [`${data}?dimensionAtObservation=AllDimensions`, 501, 501, 'only as TIME_PERIOD'],
    ['/data/dataflow/ASSIZE/*?asOf=2024-01-01', 501, 501, 'of agreements ask what was known with knownAt'],
    ['/availability/dataflow/ASSIZE/*', 501, 501, 'one dataflow at a time'],
    ['/metadata/metadataflow', 501, 501, 'metadata queries are not served'],
    ['/structure/dataflow?format=csv', 406, 1406, 'csv is not a format of this address'],
  ]
  for (const [path, status, code, says] of refused)
    test(`${path} is ${status} with code ${code}`, async () => {
      const reply = await ask(path)
      expect(reply.status).toBe(status)
      const { errors, meta } = JSON.parse(reply.text) as {
        errors: { code: number; detail: string }[]
        meta: { id: string }
      }
      expect(errors[0]!.code).toBe(code)
      expect(errors[0]!.detail).toContain(says)
      expect(meta.id).toMatch(/^[A-Za-z0-9_@$-]+$/)
    })

  test('is told in XML where XML was asked for, and a format that nobody has is 406', async () => {
    const { status, text, headers } = await ask(`${data}/nothing`, {
      accept: 'application/vnd.sdmx.data+xml;version=3.0.0',
    })
    expect([status, headers['content-type']]).toEqual([404, 'application/xml'])
    expect(text).toContain('<mes:ErrorMessage code="100"><com:Text xml:lang="en">No results found</com:Text>')
    for (const accept of [
      'image/png',
      'application/vnd.sdmx.data+csv;labels=both',
      'application/vnd.sdmx.data+json;version=1.0.0',
    ])
      expect((await ask(data, { accept })).status).toBe(406)
  })

  test('includes missing keys, other methods and bodies, in the same form', async () => {
    const nobody = await api.ask('/sdmx/v2/structure/dataflow')
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer, Basic realm="assize"'])
    expect(JSON.parse(nobody.text)).toMatchObject({ errors: [{ code: 110 }] })
    expect(await ask('/structure/dataflow', {}, 'DELETE')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
  })
})

describe('the frame', () => {
  const path = '/data/dataflow/ASSIZE/CUSTOM/1.0/metal'

  test('takes a key as the user name of Basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`${tenant.key}:`).toString('base64')}`
    expect((await api.ask(`/sdmx/v2${path}`, { headers: { authorization } })).status).toBe(200)
  })

  test('gives tags of each form and encoding that stay until something is published', async () => {
    const first = await ask(path, { accept: 'text/csv' })
    const json = await ask(path)
    expect(json.headers.etag).not.toBe(first.headers.etag)
    expect(await ask(path, { accept: 'text/csv', 'if-none-match': first.headers.etag! })).toMatchObject({
      status: 304,
      text: '',
    })
    const packed = await ask(path, { accept: 'text/csv', 'accept-encoding': 'gzip' })
    expect([packed.headers['content-encoding'], packed.headers.etag]).toEqual([
      'gzip',
      `${first.headers.etag!.slice(0, -1)}-gzip"`,
    ])
    expect(gunzipSync(packed.body).toString()).toBe(first.text)
    expect(
      await ask(path, { accept: 'text/csv', 'accept-encoding': 'gzip', 'if-none-match': packed.headers.etag! }),
    ).toMatchObject({ status: 304 })
    const head = await ask(path, { accept: 'text/csv' }, 'HEAD')
    expect([head.status, head.headers.etag, head.text]).toEqual([200, first.headers.etag, ''])
    await tenant.import('series,period,value,published\nCUSTOM/metal,2024-02,102.0,2024-03-15\n')
    const later = await ask(path, { accept: 'text/csv', 'if-none-match': first.headers.etag! })
    expect(later.status).toBe(200)
    expect(later.text).toContain(',2024-02,102.0,')
  })

  test('shows a workspace its own series and nothing of others', async () => {
    const other = await api.tenant()
    await other.import('series,period,value,published\nCUSTOM/metal,2024-01,918273.6455,2024-02-15\n')
    const { text } = await api.ask('/sdmx/v2/data/dataflow/ASSIZE/CUSTOM?format=csv', { headers: other.authorization })
    expect(text).toContain(',metal,M,2024-01,918273.6455,')
    expect(text.trimEnd().split('\r\n')).toHaveLength(2)
    const mine = await ask('/data/dataflow/ASSIZE/CUSTOM?format=csv')
    expect(mine.text).not.toContain('918273.6455')
  })
})

describe('public series', () => {
  test('are in the dataflow of their provider, for those who follow them', async () => {
    const [follower, other] = [await api.tenant(), await api.tenant()]
    const code = `PUB.${follower.id.slice(-8)}`
    const id = await makeSeries(api.sql, publicScope, code, 'ECB')
    await publishRows(api.sql, publicScope, id, [{ period: 24_288, value: '1.50' }])
    await follow(api.sql, follower.id, id)
    const path = `/sdmx/v2/data/dataflow/ASSIZE/ECB/1.0/${code.replace('.', '@')}?format=csv`
    const seen = await api.ask(path, { headers: follower.authorization })
    expect(seen.text).toMatch(/,2024-01,1\.50,/)
    expect((await api.ask(path, { headers: other.authorization })).status).toBe(404)
  })
})

const execute = promisify(execFile)

test('the commands and programs of docs/SDMX.md run', async () => {
  const reader = await api.tenant()
  await reader.import(
    'series,period,value,published\nBLS/WPU101,2024-02,101.10,2024-03-15\nBLS/WPU101,2024-03,102,2024-05-15\n',
  )
  const env = { ...process.env, ASSIZE_URL: api.address, ASSIZE_KEY: reader.key }
  const text = readFileSync(join(import.meta.dirname, '../../docs/SDMX.md'), 'utf8')
  const blocks = [...text.matchAll(/```(sh|python)\n([\s\S]*?)```/g)]
  expect(blocks).toHaveLength(3)
  for (const [, language, program] of blocks) {
    const [name, option] = language === 'sh' ? ['sh', '-ec'] : ['python3', '-c']
    const { stdout } = await execute(name!, [option!, program!], { env })
    expect(stdout).toMatch(/2024-02.*101\.10/)
    if (program!.includes('asOf') && !program!.includes('includeHistory')) expect(stdout).not.toContain('2024-03,102')
  }
})

/** The published schemas are not in the repository: SDMX_SCHEMAS names a folder with those of SDMX-JSON 2.0 and SDMX-ML 3.0. */
const folder = process.env.SDMX_SCHEMAS ?? ''
const has = (file: string) => folder !== '' && existsSync(join(folder, file))

describe('answers are valid by the published schemas, where they are given', () => {
  const schemas = {
    data: ['sdmx-json-data-schema.json', ['', '/metal?includeHistory=true', '?updatedAfter=2020-01-01', '/nothing']],
    structure: ['sdmx-json-structure-schema.json', ['?references=all', '?detail=allstubs']],
  } as const
  for (const [noun, [file, queries]] of Object.entries(schemas))
    test.skipIf(!has(file))(`JSON of ${noun}`, async () => {
      const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }))
      const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const validate = ajv.compile(schema)
      const path = noun === 'data' ? '/data/dataflow/ASSIZE/CUSTOM/1.0' : '/structure/*/ASSIZE'
      for (const query of queries) {
        validate(JSON.parse((await ask(`${path}${query}`)).text))
        expect([query, validate.errors]).toEqual([query, null])
      }
    })

  test.skipIf(!has('SDMXMessage.xsd'))('XML of structures and refusals', async () => {
    xmlRegisterFsInputProviders()
    const path = join(folder, 'SDMXMessage.xsd')
    using schema = XmlDocument.fromBuffer(readFileSync(path), { url: path })
    using validator = XsdValidator.fromDoc(schema)
    for (const asked of [
      '/structure/*/ASSIZE?references=all',
      '/structure/dataflow?detail=allstubs',
      '/structure/dataflow/X',
    ]) {
      const { text } = await ask(asked, { accept: 'application/vnd.sdmx.structure+xml;version=3.0.0' })
      using document = XmlDocument.fromString(text)
      expect(() => validator.validate(document)).not.toThrow()
    }
  })
})
