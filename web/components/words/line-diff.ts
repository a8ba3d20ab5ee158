// Comparison of two texts line by line: removed and added lines, and a change to one text applied to another with a different
// layout. Nothing here knows what the lines mean.

interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** Line numbers count from 1; null on the side that does not have the line. */
  readonly before: number | null
  readonly after: number | null
}

/** The largest table for finding common lines; beyond it, everything between the common start and end counts as replaced. */
const mostCells = 1_000_000

/** Matching line of `b` for each line of `a`, or -1; in ascending order. */
function matchLines(a: readonly string[], b: readonly string[]): Int32Array {
  const match = new Int32Array(a.length).fill(-1)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) match[head] = head++
  let [endA, endB] = [a.length, b.length]
  while (endA > head && endB > head && a[endA - 1] === b[endB - 1]) match[--endA] = --endB
  const [rows, columns] = [endA - head, endB - head]
  if (rows === 0 || columns === 0 || rows * columns > mostCells) return match
  const width = columns + 1
  const longest = new Int32Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      longest[i * width + j] =
        a[head + i] === b[head + j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
  for (let i = 0, j = 0; i < rows && j < columns; )
    if (a[head + i] === b[head + j]) match[head + i++] = head + j++
    else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++
    else j++
  return match
}

/** The lines of a text; a line break at the very end does not start another line. */
function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  const match = matchLines(a, b)
  const lines: DiffLine[] = []
  let next = 0
  const added = (until: number) => {
    for (; next < until; next++) lines.push({ kind: 'added', text: b[next]!, before: null, after: next + 1 })
  }
  a.forEach((text, i) => {
    if (match[i] === -1) {
      lines.push({ kind: 'removed', text, before: i + 1, after: null })
      return
    }
    added(match[i]!)
    lines.push({ kind: 'same', text, before: i + 1, after: match[i]! + 1 })
    next = match[i]! + 1
  })
  added(b.length)
  return lines
}

/** The changed lines with some context; each group is one place in the text. */
export function hunksOf(lines: readonly DiffLine[], around = 3): DiffLine[][] {
  const isNear = lines.map(() => false)
  lines.forEach(({ kind }, i) => {
    if (kind !== 'same')
      for (let near = Math.max(0, i - around); near <= Math.min(lines.length - 1, i + around); near++)
        isNear[near] = true
  })
  const hunks: DiffLine[][] = []
  lines.forEach((line, i) => {
    if (!isNear[i]) return
    if (i === 0 || !isNear[i - 1]) hunks.push([])
    hunks.at(-1)!.push(line)
  })
  return hunks
}

/**
 * Applies the change from `base` to `theirs` to `ours`, which says the same as `base` in another layout. Where both differ in
 * the same block of lines, theirs wins: with `finely` line by line, otherwise for the whole block.
 */
export function carryOver(base: string, ours: string, theirs: string, finely: boolean): string {
  const [middle, own, other] = [linesOf(base), linesOf(ours), linesOf(theirs)]
  const [toOwn, toOther] = [matchLines(middle, own), matchLines(middle, other)]
  const result: string[] = []
  let [m, o, t] = [0, 0, 0]
  for (let i = 0; i <= middle.length; i++) {
    const isEnd = i === middle.length
    if (!isEnd && (toOwn[i] === -1 || toOther[i] === -1)) continue
    const [endO, endT] = isEnd ? [own.length, other.length] : [toOwn[i]!, toOther[i]!]
    const stretch = [middle.slice(m, i), own.slice(o, endO), other.slice(t, endT)] as const
    result.push(...settle(...stretch, finely))
    if (!isEnd) result.push(own[endO]!)
    ;[m, o, t] = [i + 1, endO + 1, endT + 1]
  }
  return result.length === 0 ? '' : `${result.join('\n')}\n`
}

/** Resolves a block of lines that is not the same in all three texts. */
function settle(
  was: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  finely: boolean,
): readonly string[] {
  if (was.join('\n') === theirs.join('\n')) return mine
  // Equal numbers of lines mean the same lines in another layout: lines that theirs did not change keep that layout.
  if (!finely || was.length !== mine.length) return theirs
  const match = matchLines(was, theirs)
  const lines: string[] = []
  let next = 0
  was.forEach((_, i) => {
    if (match[i] === -1) return
    lines.push(...theirs.slice(next, match[i]), mine[i]!)
    next = match[i]! + 1
  })
  return [...lines, ...theirs.slice(next)]
}
