// "Did you mean …": the nearest known word to a mistyped one.

/** ` (did you mean "x"?)`, or nothing when no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const nearest = candidates
    .map(candidate => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0]
  if (nearest === undefined || nearest.distance > Math.max(1, Math.floor(word.length / 3))) return ''
  return ` (did you mean "${nearest.candidate}"?)`
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 10) return a.length + b.length
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost))
    }
    row = next
  }
  return row[b.length]!
}
