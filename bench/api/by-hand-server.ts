// The rival written by hand: a Fastify route with SQL per request, as one would write it without a library of snapshots.
import fastify from 'fastify'
import { openOwner } from '../../src/storage/database.ts'

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

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
process.on('SIGTERM', () => process.exit(0))
