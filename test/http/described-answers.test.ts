// Every route of v1 and /ext/v1 over the demo, with the ids that are there: each answer is held to the description, and what the
// description does not call required is not.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiDescription, DescribedParameter } from '../../src/http/api/description.ts'
import { buildOpenApi } from '../../src/http/docs/openapi.ts'
import { description as ext } from '../../src/http/ext/description/description.ts'
import { description as v1 } from '../../src/http/v1/description.ts'
import { setWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { Conformance } from '../support/clients/conformance.ts'
import type { Reply } from '../support/clients/http-client.ts'
import { addressesOf, type Choices } from '../support/clients/route-addresses.ts'
import { demoHouse } from '../support/houses/demo-house.ts'

const house = demoHouse()
let key: string
const ask = (path: string, accept = 'application/json'): Promise<Reply> =>
  house.api.ask(path, { headers: { authorization: `Bearer ${key}`, accept } })

/** All rows of a list, page after page. */
async function listed<T>(path: string): Promise<readonly T[]> {
  const rows: T[] = []
  for (let next: string | null = path; next !== null; ) {
    const { status, text, headers } = await ask(next)
    expect([next, status]).toEqual([next, 200])
    rows.push(...(JSON.parse(text) as { data: T[] }).data)
    next = /<([^>]+)>; rel="next"/.exec(`${headers.link ?? ''}`)?.[1]?.replace(/^https?:\/\/[^/]+/, '') ?? null
  }
  return rows
}

const apis = { '/v1': v1, '/ext/v1': ext } satisfies Record<string, ApiDescription>
let choices: Choices
/** The adjustment dates of each agreement that has numbers. */
let dates: ReadonlyMap<string, readonly string[]>
beforeAll(async () => {
  await setWorkspace(house.place.owner, house.demo.workspace.id, { rateLimit: 1_000_000 })
  ;({ key } = await house.api.issueKey(house.demo.workspace.id, null, 'all', 'all'))
  const pams = (await listed<{ id: string }>('/v1/pams')).map(({ id }) => id)
  const corrections: string[] = []
  for (const pam of pams)
    corrections.push(...(await listed<{ id: string }>(`/ext/v1/pams/${pam}/corrections`)).map(({ id }) => id))
  dates = new Map(
    await Promise.all(
      pams.map(async pam => {
        const { text } = await ask(`/v1/pams/${pam}/values`)
        const { data = [] } = JSON.parse(text) as { data?: readonly { adjustmentDate: string }[] }
        return [pam, data.map(({ adjustmentDate }) => adjustmentDate.slice(0, 10))] as const
      }),
    ),
  )
  const lines = await listed<{ supplier: string; invoice: string }>('/ext/v1/invoices')
  choices = {
    seriesId: (await listed<{ id: string }>('/v1/series')).map(({ id }) => id),
    pamId: pams,
    correctionId: corrections,
    spliceId: (await listed<{ id: string }>('/ext/v1/splices')).map(({ id }) => id),
    supplierKey: [...new Set(lines.map(each => each.supplier))],
    number: [...new Set(lines.map(each => each.invoice))],
  }
})

/** Beside what a route answers by itself. */
const queries: Readonly<Record<string, readonly string[]>> = {
  '/changes': ['?from=start'],
  '/vintages': ['?from=start'],
  '/prices': ['?from=2024-01-01', '?date=2026-01-01'],
  '/adjustments': ['?date=2026-01-01'],
  '/due': ['?within=366d'],
  '/radar': ['?since=2020-01-01'],
}

/** Of what is about one period: each that has a number. */
function withDates(path: string, address: string): readonly string[] {
  if (!/adjustment|settled/.test(path)) return []
  return (dates.get(address.split('/')[2]!) ?? []).map(date => `${address}?date=${date}`)
}

describe.each(Object.entries(apis))('the answers of %s', (prefix, description) => {
  const document = buildOpenApi(description)
  const conformance = new Conformance(document)

  test.each(description.routes.filter(({ body }) => body === null))('of $path are as described', async route => {
    const { path } = route
    const needed = (document.paths[path]!.get.parameters as readonly DescribedParameter[])
      .map(each => conformance.resolve<DescribedParameter>(each))
      .filter(each => each.in === 'query' && each.required)
    const series = `?series=${choices.seriesId!.slice(0, 50).join(',')}`
    const plain = needed.length === 0 ? '' : series
    const addresses = addressesOf(path, choices).flatMap(address => [
      `${address}${plain}`,
      ...(queries[path] ?? []).map(query => `${address}${query}`),
      ...withDates(path, address),
    ])
    expect(addresses.length).toBeGreaterThan(0)
    let answered = 0
    const problems = new Set<string>()
    for (const address of addresses)
      for (const accept of prefix === '/v1' ? ['application/json'] : ['application/json', 'text/csv']) {
        const reply = await ask(`${prefix}${address}`, accept)
        if (reply.status === 200) answered++
        // An id with nothing under it, or a period without a number, is refused as described.
        if (![200, 404, 409].includes(reply.status)) problems.add(`${address}: ${reply.status} ${reply.text}`)
        for (const problem of conformance.problemsOfReply(path, reply)) problems.add(problem)
      }
    expect([...problems]).toEqual([])
    expect(answered).toBeGreaterThan(0)
    for (const { name } of needed) {
      const { status, text } = await ask(`${prefix}${addresses[0]!.split('?')[0]}`)
      expect([status, text]).toEqual([400, expect.stringContaining(`${name} is missing`)])
    }
  })
})
