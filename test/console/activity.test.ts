// What was done, filtered by person, action and time, each with a link to its subject.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ActivityPage } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

let seats: Seats
const console = consoleHouse()
beforeAll(async () => {
  seats = await makeSeats(console.api)
  const { tenant, as } = seats
  await tenant.import(bracketsTable)
  await as.editor.post('/agreements', { text: bracketsDocument(), basedOn: 0 })
  await as.editor.post('/agreements', { text: bracketsDocument({ slug: 'brackets-more', name: 'More' }), basedOn: 0 })
  await as.owner.post('/people', { email: 'nina@joiner.test', name: 'Nina', role: 'viewer' })
  await as.editor.post('/keys', { name: 'a key', expiresAt: null })
  await as.editor.post('/parties', { slug: 'forge', name: '100% Forge_' })
})

const ask = (query: string) => seats.as.viewer.json<ActivityPage>(`/activity?${query}`)
const told = ({ rows }: ActivityPage) => rows.map(({ who, what, subject }) => `${who}: ${what} ${subject}`)

describe('activity', () => {
  test('is found by who did it, by what was done and by the day', async () => {
    const all = await ask('')
    expect(all.rows.length).toBeGreaterThanOrEqual(5)
    const byEditor = await ask(`who=${encodeURIComponent(emails.editor.toUpperCase())}`)
    expect(new Set(byEditor.rows.map(({ who }) => who))).toEqual(new Set([emails.editor]))
    expect(told(await ask('q=INVITED'))).toEqual([`${emails.owner}: invited as viewer nina@joiner.test`])
    expect(told(await ask('q=invited&who=eva'))).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect((await ask(`from=${today}&to=${today}`)).rows).toHaveLength(all.rows.length)
    expect((await ask('to=2020-01-01')).rows).toEqual([])
    expect((await ask('from=2120-01-01')).rows).toEqual([])
    // No character of the search text has a special meaning.
    expect((await ask('q=%25')).rows.every(({ what, subject }) => `${what}${subject}`.includes('%'))).toBe(true)
    expect((await ask('q=_______')).rows).toEqual([])
  })

  test('of one agreement leaves out others whose name begins alike', async () => {
    const rows = (await ask('agreement=brackets')).rows
    expect(rows.length).toBeGreaterThan(0)
    for (const { subject } of rows) expect(subject.split(' ')[0]).toBe('brackets')
  })

  test('links to what it names', async () => {
    const { rows } = await ask('')
    const targetOf = (words: string) => rows.find(({ what, subject }) => `${what} ${subject}`.includes(words))?.target
    expect(targetOf('invited as viewer')).toEqual({ kind: 'settings', part: 'people' })
    expect(targetOf('brackets-more')).toEqual({ kind: 'agreement', slug: 'brackets-more', period: null })
    expect(targetOf('party added')).toEqual({ kind: 'settings', part: 'parties' })
    expect(targetOf('key created')).toEqual({ kind: 'settings', part: 'keys' })
  })

  test('comes in longer pages on request, and refuses what is not a day', async () => {
    const { rows, next } = await ask('limit=2')
    expect(rows).toHaveLength(2)
    const rest = await ask(`limit=1000&before=${next}`)
    expect(rest.rows).toHaveLength((await ask('limit=1000')).rows.length - 2)
    expect((await seats.as.viewer.get('/activity?from=2024-02-31')).status).toBe(422)
    expect((await seats.as.viewer.get('/activity?limit=1001')).status).toBe(422)
    expect((await seats.as.supplier.get('/activity')).status).toBe(403)
  })
})
