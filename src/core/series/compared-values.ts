// The values of one period as two installations recorded them, one after the other.

/** Without repetitions, which a reading of the same value again may have left. */
function distinct(values: readonly string[]): readonly string[] {
  return values.filter((value, at) => value !== values[at - 1])
}

/**
 * Whether both can have read the same publications. One that began later lacks the first values, and one that has not asked
 * lately lacks the last; a value between those that both have is missing for no such reason.
 */
export function canBeTheSame(here: readonly string[], there: readonly string[]): boolean {
  const [longer, shorter] = [distinct(here), distinct(there)].sort((a, b) => b.length - a.length)
  const starts = longer!.keys().filter(at => longer![at] === shorter![0])
  if (starts.some(at => shorter!.every((value, i) => longer![at + i] === value))) return true
  // The end of one may overlap the beginning of the other.
  return overlaps(distinct(here), distinct(there)) || overlaps(distinct(there), distinct(here))
}

function overlaps(earlier: readonly string[], later: readonly string[]): boolean {
  const most = Math.min(earlier.length, later.length)
  return Array.from({ length: most }, (_, i) => i + 1).some(count =>
    later.slice(0, count).every((value, i) => earlier[earlier.length - count + i] === value),
  )
}
