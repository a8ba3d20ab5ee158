import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import { ReadersBySeries } from './agreement-readers.ts'

const instant = (n: number) => `2024-01-01T00:00:${n.toString().padStart(2, '0')}.000000Z`
const series = (n: number): VisibleSeries => ({
  owner: 'wsp',
  id: `ser_${n}`,
  provider: 'CUSTOM',
  code: `c${n}`,
  createdAt: '',
  since: 1,
  metadata: [],
})

interface Written {
  /** Names in each version, by the numbers of series, and whether it was saved as a draft. */
  readonly versions: readonly { readonly names: readonly number[]; readonly isDraft: boolean }[]
}

const agreement = (n: number, { versions }: Written): AgreementRecord => ({
  id: `pam_${n}`,
  slug: `slug-${n}`,
  createdAt: instant(0),
  states: versions.map(({ isDraft }, i) => ({
    seq: i + 1,
    name: '',
    description: '',
    parties: { buyer: null, supplier: null },
    status: isDraft ? 'DRAFT' : 'ACTIVE',
    recordedAt: instant(i),
  })),
  versions: versions.map((_, i) => ({ seq: i + 1, recordedAt: instant(i) })),
})

/** References by name for even numbers, by id for odd ones. */
const references = ({ versions }: Written) =>
  versions.map(({ names }, i) => ({
    version: i + 1,
    effectiveFrom: '2024-01-01',
    references: names.map(n => (n % 2 === 0 ? `CUSTOM/c${n}` : `ser_${n}`)),
  }))

const written = fc.record({
  versions: fc.array(fc.record({ names: fc.array(fc.nat(6), { maxLength: 3 }), isDraft: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
})
const change = fc.oneof(
  fc.record({ agreement: fc.nat(4), written }),
  fc.record({ series: fc.nat(6), isThere: fc.boolean() }),
)

test('after any changes they equal what would be made from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), async changes => {
      const there = new Map([0, 1, 2].map(n => [n, series(n)]))
      const agreements = new Map<number, Written>()
      const names = {
        findByReference: (name: string) =>
          [...there.values()].find(({ id, code }) => id === name || `CUSTOM/${code}` === name),
      }
      const kept = await ReadersBySeries.make([], new Map(), names)
      for (const each of changes) {
        if ('agreement' in each) {
          const before = agreements.get(each.agreement)
          agreements.set(each.agreement, each.written)
          const now = agreement(each.agreement, each.written)
          const named = new Map([[now.id, references(each.written)]])
          const gone = before === undefined ? [] : [agreement(each.agreement, before)]
          kept.change({ gone, now: [now], references: named, names: [] }, names)
        } else {
          if (there.has(each.series) === each.isThere) continue
          if (each.isThere) there.set(each.series, series(each.series))
          else there.delete(each.series)
          const { id, code } = series(each.series)
          kept.change({ gone: [], now: [], references: new Map(), names: [id, `CUSTOM/${code}`] }, names)
        }
        const all = [...agreements].sort(([a], [b]) => a - b)
        const made = await ReadersBySeries.make(
          all.map(([n, text]) => agreement(n, text)),
          new Map(all.map(([n, text]) => [`pam_${n}`, references(text)])),
          names,
        )
        expect(kept.readers).toEqual(made.readers)
        expect(kept.references).toEqual(made.references)
        for (const [n] of all) expect(kept.governingSeries(`pam_${n}`)).toEqual(made.governingSeries(`pam_${n}`))
      }
    }),
    { numRuns: 200 },
  )
})
