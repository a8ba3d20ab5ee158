// `GET /series/:id/vintages` over real HTTP, and what a vintage is: tags, repeats, withdrawals (C11, C12, C17).
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { house } from '../support/houses/house.ts'

interface Vintage {
  readonly asOfDate: string
  readonly value: string | null
  readonly versionTag: string | null
  readonly flag: string | null
  readonly publishedAt: string
  readonly recordedAt: string
}
interface Vintages {
  readonly series: object
  readonly data: readonly Vintage[]
}

const { api, tenant } = house()

let made = 0
const columns = 'series,period,value,version,published,flag\n'

/** Imports each table in turn, with `S` for the series; returns its id. */
async function held(...tables: readonly string[]): Promise<string> {
  const code = `CUSTOM/v-${made++}`
  for (const table of tables) await tenant.import(columns + table.replaceAll(/^S,/gm, `${code},`))
  return tenant.seriesId(code)
}

const vintagesOf = async (id: string, query = '') =>
  (await tenant.json<Vintages>(`/series/${id}/vintages${query}`)).data
const plain = (data: readonly Vintage[]) =>
  data.map(({ asOfDate, value, versionTag, publishedAt }) => [
    asOfDate.slice(0, 7),
    value,
    versionTag,
    publishedAt.slice(0, 10),
  ])
const valuesOf = async (id: string, query = '') =>
  (await tenant.json<{ data: { asOfDate: string; value: string }[] }>(`/series/${id}/values${query}`)).data.map(
    ({ asOfDate, value }) => `${asOfDate.slice(0, 7)} ${value}`,
  )

const threeMonths = `S,2024-02,20.0,PRELIMINARY,2024-03-10,p
S,2024-01,10.0,PRELIMINARY,2024-02-10,p
S,2024-01,10.2,PRELIMINARY,2024-02-24,p
S,2024-01,10.3,PRELIMINARY,2024-03-10,p
S,2024-01,10.1,PRELIMINARY,2024-02-17,"p, ""late"""
S,2024-01,10.4,FINAL,2024-04-10T08:30:15.123456Z,
S,2024-01,10.5,REVISED,2025-02-10,r
S,2024-01,10.6,REVISED,2026-02-10,r
S,2024-03,30,FINAL,2024-04-10,\n`

describe('the vintages of a series', () => {
  test('C17: are every vintage of every period, by period, newest last, in full', async () => {
    const id = await held(threeMonths)
    const { text } = await tenant.get(`/series/${id}/vintages`)
    expect(problemsOf('vintages', text)).toEqual([])
    const { data } = JSON.parse(text) as Vintages
    expect(plain(data)).toEqual([
      ['2024-01', '10.0', 'PRELIMINARY', '2024-02-10'],
      ['2024-01', '10.1', 'PRELIMINARY', '2024-02-17'],
      ['2024-01', '10.2', 'PRELIMINARY', '2024-02-24'],
      ['2024-01', '10.3', 'PRELIMINARY', '2024-03-10'],
      ['2024-01', '10.4', 'FINAL', '2024-04-10'],
      ['2024-01', '10.5', 'REVISED', '2025-02-10'],
      ['2024-01', '10.6', 'REVISED', '2026-02-10'],
      ['2024-02', '20.0', 'PRELIMINARY', '2024-03-10'],
      ['2024-03', '30', 'FINAL', '2024-04-10'],
    ])
    expect(data.map(({ flag }) => flag)).toEqual(['p', 'p, "late"', 'p', 'p', null, 'r', 'r', 'p', null])
    expect(data[4]!.publishedAt).toBe('2024-04-10T08:30:15.123456Z')
    expect(new Set(data.map(({ recordedAt }) => recordedAt)).size).toBe(1)
  })

  test('C11: several PRELIMINARY and several REVISED vintages of one period are each found by their date', async () => {
    const id = await held(threeMonths)
    for (const [day, value] of [
      ['2024-02-10', '10.0'],
      ['2024-02-20', '10.1'],
      ['2024-03-01', '10.2'],
      ['2024-04-09', '10.3'],
      ['2024-04-10', '10.4'],
      ['2025-02-10', '10.5'],
      ['2026-02-10', '10.6'],
    ])
      expect(await valuesOf(id, `?asOf=${day}&to=2024-01-31`), day).toEqual([`2024-01 ${value}`])
    expect(await valuesOf(id, '?version=PRELIMINARY&to=2024-01-31')).toEqual(['2024-01 10.3'])
    expect(await valuesOf(id, '?version=REVISED&asOf=2026-01-01')).toEqual(['2024-01 10.5'])
  })

  test('C17: from and to cut by period, and limit counts periods', async () => {
    const id = await held(threeMonths)
    expect(plain(await vintagesOf(id, '?from=2024-02-01&to=2024-02-01'))).toEqual([
      ['2024-02', '20.0', 'PRELIMINARY', '2024-03-10'],
    ])
    expect(await vintagesOf(id, '?limit=1')).toHaveLength(7)
    expect(await vintagesOf(id, '?limit=2')).toHaveLength(8)
    expect(await vintagesOf(id, '?from=2025-01-01')).toEqual([])
  })

  test('C17: Link leads through every vintage exactly once, on one snapshot', async () => {
    const id = await held(threeMonths)
    const all = await vintagesOf(id)
    const walked: Vintage[] = []
    let next: string | null = `/v1/series/${id}/vintages?limit=1`
    for (let page = 0; next !== null; page++) {
      const reply = await api.ask(next, { headers: tenant.authorization })
      expect(reply.status).toBe(200)
      walked.push(...(JSON.parse(reply.text) as Vintages).data)
      const link = reply.headers.link as string | undefined
      next = link === undefined ? null : /^<([^>]+)>; rel="next"$/.exec(link)![1]!
      if (page === 0)
        await tenant.import(
          `${columns}CUSTOM/v-${made - 1},2024-02,21.0,FINAL,2024-04-10,\nCUSTOM/v-${made - 1},2024-05,50,FINAL,2024-06-10,\n`,
        )
    }
    expect(walked).toEqual(all)
    expect(await vintagesOf(id)).toHaveLength(all.length + 2)
    expect((await tenant.get(`/series/${id}/vintages?limit=4`)).headers.link).toBeUndefined()
  })

  test('C17: recordedAt given back as knownAt includes that vintage, a microsecond earlier it does not', async () => {
    const id = await held(
      'S,2024-01,1.0,,2024-02-01,\n',
      'S,2024-01,2.0,,2024-03-01,\n',
      'S,2024-01,1.5,,2024-02-15,\n',
    )
    const all = await vintagesOf(id)
    expect(all.map(({ value }) => value)).toEqual(['1.0', '1.5', '2.0'])
    for (const { recordedAt, value } of all) {
      expect((await vintagesOf(id, `?knownAt=${recordedAt}`)).map(each => each.value)).toContain(value)
      const micros = BigInt(Date.parse(recordedAt)) * 1000n + BigInt(recordedAt.slice(23, 26)) - 1n
      const earlier = `${new Date(Number(micros / 1000n)).toISOString().slice(0, 23)}${String(micros % 1000n).padStart(3, '0')}Z`
      expect((await vintagesOf(id, `?knownAt=${earlier}`)).map(each => each.value)).not.toContain(value)
      expect((await valuesOf(id, `?knownAt=${recordedAt}`)).length).toBe(1)
    }
    expect(await vintagesOf(id, '?knownAt=2020-01-01')).toEqual([])
  })

  test('C17: an unknown publication shows the moment of recording', async () => {
    const id = await held('S,2024-01,1.0,,,\n')
    const [vintage] = await vintagesOf(id)
    expect(vintage!.publishedAt).toBe(vintage!.recordedAt)
  })
})

describe('what becomes a vintage', () => {
  test('C12: a value without a tag is FINAL first, and REVISED where it changes a FINAL one', async () => {
    const id = await held(
      'S,2024-01,1.0,,2024-02-01,\n',
      'S,2024-01,1.1,,2024-03-01,\n',
      'S,2024-01,1.2,,2024-04-01,\n',
    )
    expect((await vintagesOf(id)).map(({ versionTag }) => versionTag)).toEqual(['FINAL', 'REVISED', 'REVISED'])
    const marked = await held('S,2024-01,1.0,PRELIMINARY,2024-02-01,\n', 'S,2024-01,1.1,,2024-03-01,\n')
    expect((await vintagesOf(marked)).map(({ versionTag }) => versionTag)).toEqual(['PRELIMINARY', 'FINAL'])
  })

  test('C12: a repeat of the value and tag before it, or of a stored vintage, is not a vintage; the same value made final is one', async () => {
    const id = await held('S,2024-01,1.0,PRELIMINARY,2024-02-01,\n')
    const code = `CUSTOM/v-${made - 1}`
    for (const row of ['2024-01,1.0,PRELIMINARY,2024-02-01,', '2024-01,1.0,PRELIMINARY,2024-03-01,'])
      await expect(tenant.import(`${columns}${code},${row}\n`)).rejects.toThrow('nothing in the table was new')
    await tenant.import(`${columns}${code},2024-01,1.0,FINAL,2024-04-01,\n`)
    expect(plain(await vintagesOf(id))).toEqual([
      ['2024-01', '1.0', 'PRELIMINARY', '2024-02-01'],
      ['2024-01', '1.0', 'FINAL', '2024-04-01'],
    ])
  })

  test('C12: digits are part of the value: 100.3 after 100.30 is a new vintage', async () => {
    const id = await held('S,2024-01,100.30,FINAL,2024-02-01,\n', 'S,2024-01,100.3,REVISED,2024-03-01,\n')
    expect((await vintagesOf(id)).map(({ value }) => value)).toEqual(['100.30', '100.3'])
  })

  test('C12: from a withdrawal on the period has no row under any version, until it is published again', async () => {
    const id = await held(
      'S,2024-01,1.0,PRELIMINARY,2024-02-01,\nS,2024-01,1.1,FINAL,2024-03-01,\nS,2024-02,2.0,FINAL,2024-03-01,\n',
    )
    const code = `CUSTOM/v-${made - 1}`
    const withdrawnAt = await tenant.withdraw(code, ['2024-01'], '2024-05-01')
    expect(await valuesOf(id)).toEqual(['2024-02 2.0'])
    for (const version of ['PRELIMINARY', 'FINAL', 'REVISED'])
      expect(
        (await valuesOf(id, `?version=${version}`)).filter(row => row.startsWith('2024-01')),
        version,
      ).toEqual([])
    expect(await valuesOf(id, '?asOf=2024-04-30')).toEqual(['2024-01 1.1', '2024-02 2.0'])
    expect(await valuesOf(id, '?asOf=2024-05-01')).toEqual(['2024-02 2.0'])
    expect((await tenant.json<{ total: number }>(`/series/${id}/values`)).total).toBe(1)
    const vintages = await vintagesOf(id)
    expect(plain(vintages)).toEqual([
      ['2024-01', '1.0', 'PRELIMINARY', '2024-02-01'],
      ['2024-01', '1.1', 'FINAL', '2024-03-01'],
      ['2024-01', null, null, '2024-05-01'],
      ['2024-02', '2.0', 'FINAL', '2024-03-01'],
    ])
    expect(vintages[2]!.recordedAt).toBe(withdrawnAt)
    await tenant.import(`${columns}${code},2024-01,1.2,FINAL,2024-06-01,\n`)
    expect(await valuesOf(id)).toEqual(['2024-01 1.2', '2024-02 2.0'])
    expect(await valuesOf(id, '?asOf=2024-05-31')).toEqual(['2024-02 2.0'])
    expect(await valuesOf(id, `?knownAt=${withdrawnAt}`)).toEqual(['2024-02 2.0'])
  })

  test('C9: a vintage that is recorded later but published earlier is found at its date and changes nothing after it', async () => {
    const id = await held(
      'S,2024-01,1.0,FINAL,2024-02-01,\nS,2024-01,3.0,REVISED,2024-04-01,\n',
      'S,2024-01,2.0,REVISED,2024-03-01,\n',
    )
    expect(await valuesOf(id)).toEqual(['2024-01 3.0'])
    expect(await valuesOf(id, '?asOf=2024-03-15')).toEqual(['2024-01 2.0'])
    expect((await vintagesOf(id)).map(({ value }) => value)).toEqual(['1.0', '2.0', '3.0'])
  })
})
