// The rival written by hand: a Fastify route with SQL per request, as one would write it without an in-memory library.
import { Decimal } from 'decimal.js'
import fastify from 'fastify'
import { openOwner } from '../../src/storage/postgres/database.ts'

const endpoint = JSON.parse(process.argv[2]!)
const sql = openOwner({ endpoint, database: 'assize' }, { connections: 10 })
const app = fastify()

app.get('/series', async () => {
  const data = await sql`
    select s.id, s.code as "seriesCode", m.name, s.provider, m.data_type as "dataType", m.unit, m.frequency,
      s.created_at as "createdAt"
    from series s join series_metadata m on m.owner = s.owner and m.series_id = s.id order by s.id limit 50`
  return { data, pagination: { limit: 50, hasMore: true, nextCursor: null } }
})

interface Query {
  readonly last?: string
  readonly limit?: string
  readonly asOf?: string
}

app.get<{ Params: { id: string }; Querystring: Query }>('/series/:id/values', async ({ params, query }) => {
  const [series] = await sql`
    select s.owner, s.id, s.code as "seriesCode", m.name, m.unit, m.frequency
    from series s join series_metadata m on m.owner = s.owner and m.series_id = s.id where s.id = ${params.id}`
  const rows = await sql`
    select distinct on (period) period, value, tag as "versionTag" from vintage
    where owner = ${series!.owner} and series_id = ${params.id}
      and published_at <= ${query.asOf ?? '9999-01-01'}::timestamptz
    order by period, published_at desc, seq desc`
  const shown =
    query.last === undefined
      ? rows.slice(0, Number.parseInt(query.limit ?? '500', 10))
      : rows.slice(-Number.parseInt(query.last, 10))
  const data = shown.map(({ period, value, versionTag }) => ({
    asOfDate: new Date(Date.UTC(Math.floor(period / 12), period % 12, 1)).toISOString(),
    value,
    versionTag,
  }))
  return { series, data, total: rows.length }
})

// The bench's formula, written out: five shares of 0.17 against December 2013, in the quarters of 2014 to 2024 after the
// first the readings of two months before; each percentage is rounded and the next one continues from there.
const share = '0.17'
const base = monthOf(2013, 12)
const quarters = Array.from({ length: 43 }, (_, i) => {
  const year = 2014 + Math.floor((i + 1) / 4)
  const quarter = ((i + 1) % 4) + 1
  const firstMonth = quarter * 3 - 2
  return {
    label: `${year}-Q${quarter}`,
    date: new Date(Date.UTC(year, firstMonth - 1, 1)).toISOString(),
    readingMonth: monthOf(year, firstMonth) - 2,
  }
})

function monthOf(year: number, month: number): number {
  return year * 12 + month - 1
}

interface Change {
  readonly series: string
  readonly period: number
  /** In percent against the base. */
  readonly change: Decimal
}

async function readChanges(): Promise<Change[]> {
  const months = [base, ...quarters.map(({ readingMonth }) => readingMonth)]
  const readings = await sql<{ series: string; period: number; value: string }[]>`
    select distinct on (m.name, v.period) m.name as series, v.period, v.value
    from series s join series_metadata m on m.owner = s.owner and m.series_id = s.id
      join vintage v on v.owner = s.owner and v.series_id = s.id
    where s.code in ('bench-0', 'bench-1', 'bench-2', 'bench-3', 'bench-4') and v.period = any(${months}::int[])
    order by m.name, v.period, v.published_at desc, v.seq desc`
  const bases = new Map(readings.filter(({ period }) => period === base).map(({ series, value }) => [series, value]))
  return readings.map(({ series, period, value }) => {
    const change = new Decimal(value).div(bases.get(series)!).minus(1).times(100)
    return { series, period, change }
  })
}

function adjust(changes: readonly Change[]) {
  const sums = new Map<number, Decimal>()
  for (const { period, change } of changes)
    sums.set(period, (sums.get(period) ?? new Decimal(0)).plus(change.times(share)))
  let price = new Decimal(1)
  return quarters.map(({ label, date, readingMonth }) => {
    const target = sums.get(readingMonth)!.div(100).plus(1)
    const pct = target.div(price).minus(1).times(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    price = price.times(pct.div(100).plus(1))
    return { label, date, readingMonth, pct, cumulative: rounded(price.minus(1).times(100)) }
  })
}

function rounded(pct: Decimal): Decimal {
  return pct.toDecimalPlaces(4, Decimal.ROUND_HALF_UP)
}

app.get('/adjustment', async () => {
  const changes = await readChanges()
  const last = adjust(changes).at(-1)!
  return {
    period: last.label,
    adjustmentPct: last.pct.toNumber(),
    cumulativeAdjustmentPct: last.cumulative.toNumber(),
    dataVersion: 'REVISED',
    formulaVersion: 1,
    confirmed: { buyer: null, supplier: null },
    components: changes
      .filter(({ period }) => period === last.readingMonth)
      .map(({ series, change }) => ({ series, weight: Number(share), change: rounded(change).toNumber() })),
  }
})

app.get('/adjustments', async () => {
  const data = adjust(await readChanges()).map(({ date, pct, cumulative }) => ({
    adjustmentDate: date,
    adjustmentPct: pct.toString(),
    cumulativePct: cumulative.toString(),
  }))
  return { data }
})

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
process.on('SIGTERM', () => process.exit(0))
