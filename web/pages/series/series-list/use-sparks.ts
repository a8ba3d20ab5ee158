// Small lines of a list: requested when their rows become visible, many at once, each series only once.
import { useEffect, useMemo, useRef, useState } from 'react'
import type { SeriesRow } from '../../../../src/views/shapes/series.ts'
import { api } from '../../../api.ts'
import { useWorkspace } from '../../../session.ts'

/** The most that the server returns in one answer. */
const mostAtOnce = 100
/** Nothing is requested while rows scroll past quickly. */
const restMs = 60

// A series whose values changed needs a new line.
const keyOf = ({ id, lastChangedAt }: SeriesRow) => `${id} ${lastChangedAt}`

type SparkOf = (row: SeriesRow) => readonly string[] | undefined

/** The result is another function once there are more lines. */
export function useSparks(rows: readonly SeriesRow[]): SparkOf {
  const { slug, path } = useWorkspace()
  const held = useRef(new Map<string, readonly string[]>())
  const [answers, setAnswers] = useState(0)
  const missing = rows.filter(row => !held.current.has(keyOf(row)) && row.last !== null)
  const wanted = missing.map(({ id }) => id).join(',')

  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` identifies the rows, whose objects are new each time.
  useEffect(() => {
    if (wanted === '') return
    const leave = new AbortController()
    const asked = missing.slice(0, mostAtOnce)
    const timer = setTimeout(() => {
      const ids = asked.map(({ id }) => id).join(',')
      api.get(path('/series/sparks', { ids }), leave.signal).then(
        sparks => {
          for (const row of asked) held.current.set(keyOf(row), sparks[row.id] ?? [])
          setAnswers(count => count + 1)
        },
        // A row works without its small line: the figures are beside it.
        () => undefined,
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [wanted, slug])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer brings more lines.
  return useMemo<SparkOf>(() => row => held.current.get(keyOf(row)), [answers])
}
