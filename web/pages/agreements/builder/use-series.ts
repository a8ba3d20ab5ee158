// The series of the workspace, as the builder looks them up.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../api.ts'
import { useWorkspace } from '../../../session.ts'
import type { SeriesShelf } from './builder-state.tsx'
import { referenceOf } from './form/series-search.ts'

export function useSeries(): SeriesShelf {
  const { slug, path } = useWorkspace()
  const rows = useQuery({
    queryKey: ['w', slug, 'series'],
    queryFn: ({ signal }) => api.get(path('/series'), signal),
  }).data
  return useMemo(() => {
    const by = new Map((rows ?? []).flatMap(row => [[referenceOf(row), row] as const, [row.id, row] as const]))
    return { rows: rows ?? [], find: reference => by.get(reference), isLoaded: rows !== undefined }
  }, [rows])
}
