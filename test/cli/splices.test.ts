// The commands about changes of terms: proposed, shown, signed, refused and offered to many, and what `agreement apply` does under a
// contract whose terms both change.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ShownChange } from '../../src/read/agreements/terms-view.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openPriceHouse } from '../support/houses/price-house.ts'

const ground = ownHouse(() => openPriceHouse())
const buyer = ['--party', 'buyer', '--as', 'ann@buyer.test'] as const
const supplier = ['--party', 'supplier', '--as', 'sam@supplier.test'] as const
const wish = ['--from', 'CUSTOM/old', '--to', 'CUSTOM/new', '--reason', 'The office stopped it.'] as const

beforeAll(async () => {
  await ground.importFigures(twoIndices)
  for (const slug of ['first', 'second', 'third']) {
    const contract = slug === 'third' ? { contract: '  change: BOTH\n' } : {}
    await ground.apply(oldIndexDocument({ slug, ...contract }))
    await ground.signBoth(slug, '2024-Q2')
  }
})

describe('splice', () => {
  test('propose, show, sign and list tell one story', async () => {
    const proposed = await ground.run('splice', 'propose', 'first', ...wish)
    expect(proposed.out).toContain('method OVERLAP, coefficient 0.500000 OLD_TO_NEW, join 2024-06')
    const id = /spl_\w+/.exec(proposed.out)![0]
    const unprinted = await ground.run('splice', 'propose', 'first', ...wish, '--method', 'PUBLISHED')
    expect([unprinted.status, unprinted.err]).toEqual([2, expect.stringContaining('--coefficient is missing')])
    const { hash, state } = await ground.json<ShownChange>('splice', 'show', id)
    expect(state).toBe('PROPOSED')
    const other = await ground.refused('splice', 'sign', id, ...buyer, '--hash', '0'.repeat(64))
    expect(other.error).toContain('look at it again')
    await ground.json('splice', 'sign', id, ...buyer, '--hash', hash)
    expect(await ground.json('splice', 'sign', id, ...supplier)).toMatchObject({ state: 'AGREED', version: 2 })
    expect((await ground.run('splice', 'show', id)).out).toContain('agreed: formula 2')
    expect((await ground.run('splice', 'show', id, '--document')).out).toContain('series: CUSTOM/new')
    const { data } = await ground.json<{ data: ShownChange[] }>('splice', 'list', '--series', 'CUSTOM/new')
    expect(data.map(each => [each.id, each.state])).toEqual([[id, 'AGREED']])
  })

  test.each([
    ['the reason is missing', ['--reason', ' ']],
    ['the source of the coefficient is missing', ['--method', 'PUBLISHED', '--coefficient', '0.5', '--source', ' ']],
    ['OVERLAP takes no coefficient', ['--coefficient', '0.5', '--source', 'The office']],
    ['OVERLAP takes no coefficient', ['--coefficient', '0.5']],
    ['SAME_LEVEL takes no point', ['--method', 'SAME_LEVEL', '--point', '2024-06']],
  ])('propose and offer refuse what would not be read: %s', async (sentence, options) => {
    const words = [...wish, ...options]
    expect((await ground.refused('splice', 'propose', 'second', ...words)).error).toContain(sentence)
    const offered = await ground.run('splice', 'offer', ...words)
    expect(`${offered.out}${offered.err}`).toContain(sentence)
    expect((await ground.json<{ data: object[] }>('splice', 'list', '--series', 'CUSTOM/new')).data).toHaveLength(1)
  })

  test('offer proposes it for all that read the series; each side signs once, and a refused one stays out', async () => {
    const { offer, proposed } = await ground.json<{ offer: string; proposed: { slug: string; id: string }[] }>(
      'splice',
      'offer',
      ...wish,
    )
    expect(proposed.map(({ slug }) => slug)).toEqual(['second', 'third'])
    const [second, third] = proposed.map(({ id }) => id)
    const refused = await ground.json<ShownChange>('splice', 'refuse', third!, ...supplier, '--reason', 'Not this one.')
    expect(refused.state).toBe('REFUSED')
    for (const side of [buyer, supplier]) {
      const { data } = await ground.json<{ data: { id: string; refused?: string }[] }>(
        'splice',
        'sign',
        '--offer',
        offer,
        ...side,
      )
      expect(data.find(({ id }) => id === third)!.refused).toContain('Not this one.')
    }
    const { version, signatures } = await ground.json<ShownChange>('splice', 'show', second!)
    expect([version, signatures.map(({ list }) => list?.count)]).toEqual([2, [2, 2]])
  })
})

test('agreement apply proposes an amendment where both change the terms, and says so', async () => {
  const text = oldIndexDocument({ slug: 'third', contract: '  change: BOTH\n', clause: '{ cap: { periodPct: 2 } }' })
  const file = await ground.file('third.yaml', text)
  const unreasoned = await ground.run('agreement', 'apply', file, '--reason', ' ')
  expect([unreasoned.status, `${unreasoned.out}${unreasoned.err}`]).toEqual([
    1,
    expect.stringContaining('the reason is missing'),
  ])
  const { out } = await ground.run('agreement', 'apply', file, '--reason', 'A cap was agreed.')
  expect(out).toMatch(/third: proposed as amd_\w+, formula 1 governs until both have signed it/)
  const id = /amd_\w+/.exec(out)![0]
  expect((await ground.run('splice', 'show', id)).out).toContain('reason: A cap was agreed.')
  await ground.json('splice', 'sign', id, ...supplier)
  expect(await ground.json('splice', 'sign', id, ...buyer)).toMatchObject({ state: 'AGREED', version: 2 })
})
