// The series of the workspace, as the builder looks them up.
import { useMemo } from 'react'
import { useRead } from '../../../session.ts'
import type { SeriesShelf } from './builder-state.tsx'
import { referenceOf } from './form/series-search.ts'

export function useSeries(): SeriesShelf {
  const rows = useRead('/series').data
  return useMemo(() => {
    const by = new Map((rows ?? []).flatMap(row => [[referenceOf(row), row] as const, [row.id, row] as const]))
    return { rows: rows ?? [], find: reference => by.get(reference), isLoaded: rows !== undefined }
  }, [rows])
}
