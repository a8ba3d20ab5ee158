// Series that might take the place of one that ends: equal names at its provider, parent or sibling codes, its copies at FRED
// or DBnomics. Figures, where there are some, tell how closely each follows.
import { parseReference, type SeriesHeader } from '../series/series.ts'
import { flowKeyOf } from './flow-version.ts'

type CandidateHeader = Pick<SeriesHeader, 'reference' | 'name'>

interface FoundCandidate<S extends CandidateHeader> {
  readonly series: S
  readonly why: string
}

/** The likeliest first. */
export function findCandidates<S extends CandidateHeader>(
  old: CandidateHeader,
  pool: readonly S[],
): readonly FoundCandidate<S>[] {
  const found = pool.flatMap(series => {
    if (series.reference === old.reference) return []
    const reason = reasonFor(old, series)
    return reason === null ? [] : [{ series, why: reasons[reason], rank: ranks.indexOf(reason) }]
  })
  return found
    .sort((a, b) => a.rank - b.rank || (a.series.reference < b.series.reference ? -1 : 1))
    .map(({ series, why }) => ({ series, why }))
}

const reasons = {
  version: 'the same series in another version of its data set',
  name: 'the same provider and name',
  item: 'the same item at another source',
  sibling: 'a series with a neighbouring code',
  parent: 'a series with a broader or narrower code',
} as const
type Reason = keyof typeof reasons
const ranks = Object.keys(reasons) as readonly Reason[]

function reasonFor(old: CandidateHeader, other: CandidateHeader): Reason | null {
  const [a, b] = [parseReference(old.reference), parseReference(other.reference)]
  if (a === null || b === null) return null
  if (a.provider !== b.provider) return isSameItem(old, other) ? 'item' : null
  const [own, its] = [flowKeyOf(old.reference), flowKeyOf(other.reference)]
  if (own !== null && own === its) return 'version'
  if (nameOf(old.name) !== '' && nameOf(old.name) === nameOf(other.name)) return 'name'
  if (isSibling(a.code, b.code)) return 'sibling'
  return isPart(a.code, b.code) ? 'parent' : null
}

/** Sources that pass on the series of others under their codes. */
const relays: ReadonlySet<string> = new Set(['FRED', 'DBNOMICS'])

function isSameItem(old: CandidateHeader, other: CandidateHeader): boolean {
  const [a, b] = [parseReference(old.reference)!, parseReference(other.reference)!]
  if (!relays.has(a.provider) && !relays.has(b.provider)) return false
  const [last, itsLast] = [a.code.split('/').at(-1)!, b.code.split('/').at(-1)!]
  return (last.length >= 5 && last === itsLast) || (nameOf(old.name) !== '' && nameOf(old.name) === nameOf(other.name))
}

/** A name without the parts that differ between bases: the reference year, that it ended, and punctuation. */
function nameOf(name: string): string {
  return name
    .replace(/\(discontinued\)/gi, '')
    .replace(/\b(?:19|20)\d{2}(?:[-–/]\d{2,4})?\s*=\s*100\b/g, '')
    .replace(/\bbase (?:year )?(?:19|20)\d{2}\b/gi, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** Whether two keys have equally many parts, of which one differs. */
function isSibling(a: string, b: string): boolean {
  const [left, right] = [a, b].map(code => code.split(/[./,]/)) as [string[], string[]]
  if (left.length !== right.length || left.length < 3) return false
  return left.filter((part, i) => part !== right[i]).length === 1
}

/** Whether one code continues the other: WPU101 and WPU1017. */
function isPart(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 5 && long.length - short.length <= 4 && long.startsWith(short)
}
