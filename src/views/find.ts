// Search by words in a name: agreements and series of the workspace, the first few of each. Uses the lists in memory;
// nothing is opened.
import { limits } from '../limits.ts'
import { publicScope } from '../storage/postgres/database.ts'
import { hasWords, readWords } from './agreements/agreement-list.ts'
import { agreementsBySlug } from './agreements/seen-agreement.ts'
import type { Found } from './shapes/agreements.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewParts } from './sight/view-parts.ts'
import { readersOf, stateFor, visibleSeries } from './sight/visibility.ts'

export async function find({ library }: ViewParts, seat: Seat, text: string): Promise<Found> {
  const words = readWords(text)
  const index = await library.index(seat.workspace.id)
  const formulas = agreementsBySlug(seat, index)
    .values()
    .filter(row => hasWords(seat, row, words))
  const readers = seat.role === 'supplier' ? await readersOf(seat, library, index) : new Map()
  const series = visibleSeries(seat, index, readers)
    .values()
    .filter(({ provider, code, metadata }) => {
      const all = `${metadata.at(-1)!.name} ${provider} ${code}`.toLowerCase()
      return words.every(word => all.includes(word))
    })
  return {
    formulas: [
      ...formulas
        .take(limits.foundOfEach)
        .map(row => ({ slug: row.slug, name: stateFor(seat, row)?.name ?? row.slug })),
    ],
    series: [
      ...series.take(limits.foundOfEach).map(({ id, owner, provider, code, metadata }) => {
        return { id, provider, code, name: metadata.at(-1)!.name, isFollowed: owner === publicScope }
      }),
    ],
  }
}
