// What three pages say of an index: what is due, what is known of indices, and the list of series. They say it from one source.
import { expect, test } from 'vitest'
import type { DuePage } from '../../src/views/shapes/due.ts'
import type { IndexChanges } from '../../src/views/shapes/index-changes.ts'
import type { SeriesRow } from '../../src/views/shapes/series.ts'
import type { House, Visit } from './house.ts'
import { shareHouse } from './reading-house.ts'
import { expectQuiet } from './story.ts'

let house: House
shareHouse(shared => {
  house = shared
})

const ask = async <T>({ context }: Visit, path: string): Promise<T> =>
  (await (await context.request.get(`${house.address}/console/w/demo${path}`)).json()) as T

/** Once everything is computed and every alarm raised. */
async function knownDue(visit: Visit): Promise<DuePage> {
  let due: DuePage | undefined
  await expect
    .poll(async () => {
      due = await ask<DuePage>(visit, '/due?days=365')
      return due.pending === 0 && due.alarms.length > 0
    })
    .toBe(true)
  return due!
}

test('a series has ended on one page as on the other, and one that was replaced or cancelled is never late', async () => {
  const olga = await house.visit('olga')
  const due = await knownDue(olga)
  const changes = await ask<IndexChanges>(olga, '/index-changes')
  const factsOf = (reference: string) =>
    changes.indices.filter(({ series }) => series.reference === reference).flatMap(({ facts }) => facts)
  const isOver = (reference: string) => factsOf(reference).some(({ kind }) => kind === 'ENDED' || kind === 'SUPERSEDED')
  const ended = due.rows.flatMap(row => row.ended)
  expect(ended.length).toBeGreaterThan(0)
  for (const { reference } of ended) expect([reference, isOver(reference)]).toEqual([reference, true])
  for (const { series, cause } of due.alarms)
    expect([series.reference, cause === 'ENDED']).toEqual([
      series.reference,
      cause === 'CANCELLED' ? false : isOver(series.reference),
    ])
  const published = changes.indices.filter(({ facts }) =>
    facts.some(({ ground, kind }) => ground === 'EVENT' && (kind === 'ENDED' || kind === 'SUPERSEDED')),
  )
  expect(published.map(({ series }) => series.reference)).toEqual(['ECB/ICP/M.U2.N.000000.4.INX'])
  for (const { series } of published) {
    expect(due.releases.filter(each => each.isLate && each.series.some(({ id }) => id === series.id))).toEqual([])
    expect(due.alarms.find(alarm => alarm.series.id === series.id)?.words).toBe(
      'does not come: the series was replaced',
    )
  }
  expectQuiet(olga)
})

test('the list of series has in trouble what is late or does not come, and the timeline says of each figure its own date', async () => {
  const olga = await house.visit('olga')
  const due = await knownDue(olga)
  const rows = await ask<readonly SeriesRow[]>(olga, '/series')
  const troubled = new Set(due.alarms.map(alarm => alarm.series.id))
  expect(new Set(rows.filter(({ alarm }) => alarm !== null).map(({ id }) => id))).toEqual(troubled)
  await olga.open('/series')
  await olga.page.getByText(`In trouble (${troubled.size})`).waitFor()
  await olga.open('/due')
  const marks = olga.page.locator('button[title*="-W"]')
  await marks.first().waitFor()
  const lines = (
    await marks.evaluateAll(found => found.map(each => (each as unknown as { title: string }).title))
  ).flatMap(title => title.split('\n'))
  for (const { title, period, isLate } of due.releases.filter(each => / Retail Prices /.test(each.title))) {
    const line = lines.find(each => each.startsWith(title) && each.includes(period))
    if (line !== undefined) expect([line, /: late, expected/.test(line)]).toEqual([line, isLate])
  }
  expectQuiet(olga)
})
