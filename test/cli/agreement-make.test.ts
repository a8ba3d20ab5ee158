// Many agreements by command: a document with named places as the template, a dry run, all of them or none.
import { expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { openBracketHouse } from '../support/houses/price-house.ts'

const ground = ownHouse(openBracketHouse)

const template = `slug: any
contract:
  start: <start>
  end: <end>
  frequency: QUARTERLY
  price: { amount: <price>, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel: { series: CUSTOM/steel, weight: <steel share>, base: 2023-12, lag: 1 month }
clause: { fixed: <fixed share> }
`

const table = (end: string) => `name,start,end,price,steel share,fixed share
Long tubes,2024-01-01,${end},100,0.5,0.5
Short tubes,2024-01-01,,80,1,0
`

test('a table fills the places of a document; a dry run stores nothing, and a wrong cell refuses all', async () => {
  const file = await ground.file('template.yaml', template)
  const make = async (csv: string, ...more: string[]) =>
    ground.json('agreement', 'make', await ground.file('table.csv', csv), '--template', file, ...more)
  const planned = await make(table('2024-12-31'), '--dry-run')
  expect(planned).toMatchObject([
    { line: 2, slug: 'long-tubes', price: '100', first: { period: '2024-Q2' } },
    { line: 3, slug: 'short-tubes', price: '80', supplier: null },
  ])
  const slugs = async () => (await ground.json<{ slug: string }[]>('agreement', 'list')).map(({ slug }) => slug)
  const before = await slugs()
  const wrong = await ground.run(
    'agreement',
    'make',
    await ground.file('wrong.csv', table('never')),
    '--template',
    file,
  )
  expect([wrong.status, wrong.err]).toEqual([
    1,
    expect.stringContaining('line 2, column end: end must be a date such as 2024-01-31, got "never"'),
  ])
  expect(await slugs()).toEqual(before)
  expect(await make(table('2024-12-31'), '--active')).toHaveLength(2)
  expect((await slugs()).filter(slug => !before.includes(slug)).sort()).toEqual(['long-tubes', 'short-tubes'])
  const shown = await ground.json<{ document: { contract: object } }>('agreement', 'show', 'short-tubes')
  expect(shown.document.contract).not.toHaveProperty('end')
})
