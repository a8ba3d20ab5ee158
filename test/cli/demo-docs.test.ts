// Every request that the page of the API shows is answered by the demo, with the ids that its lists have.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { demoHouse } from '../support/houses/demo-house.ts'

const run = promisify(execFile)
const house = demoHouse()
const hasCurl = spawnSync('curl', ['--version']).status === 0

const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll(/&(?:quot|#34);/g, '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test.skipIf(!hasCurl)('every request of the page of the API is answered by the demo', async () => {
  const { api, demo } = house
  const ask = async <T>(path: string) => {
    const answer = await fetch(`${api.address}${path}`, { headers: { authorization: `Bearer ${demo.key}` } })
    expect([path, answer.status]).toEqual([path, 200])
    return (await answer.json()) as { readonly data: readonly T[] }
  }
  const series = (await ask<{ id: string }>('/v1/series')).data[0]!.id
  const splice = (await ask<{ id: string }>('/ext/v1/splices')).data[0]!.id
  const corrections = await Promise.all(
    (await ask<{ id: string }>('/v1/pams?limit=100')).data.map(({ id }) =>
      ask<{ id: string }>(`/ext/v1/pams/${id}/corrections`),
    ),
  )
  const page = await (await fetch(`${api.address}/docs`)).text()
  const requests = [...page.matchAll(/<figure class="call">[\s\S]*?<code>(curl [\s\S]*?)<\/code>/g)].map(([, shown]) =>
    plain(shown!),
  )
  expect(requests.length).toBeGreaterThan(20)
  const [first] = page.matchAll(/curl -H [\s\S]*?http:\/\/127\.0\.0\.1:8080([^\s'"&]*)/g)
  const prices = await ask<object>(plain(first![1]!))
  const price = expect.stringMatching(/^\d+\.\d\d$/)
  expect(prices.data).toMatchObject([{ status: 'AGREED', price, proposed: { status: 'OPEN', price } }])
  const env = {
    PATH: process.env.PATH,
    ASSIZE_KEY: demo.key,
    SERIES: series,
    SPLICE: splice,
    CORRECTION: corrections.flatMap(({ data }) => data)[0]?.id ?? '',
  }
  const refused: string[] = []
  for (const request of requests) {
    const command = request
      .replaceAll('http://127.0.0.1:8080', api.address)
      .replace('curl', `curl -s -o /dev/null -w '%{http_code}'`)
    const { stdout } = await run('bash', ['-c', command], { env })
    if (stdout !== '200') refused.push(`${stdout} ${request}`)
  }
  expect(refused).toEqual([])
})
