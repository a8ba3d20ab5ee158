// Last look of the person at a period, stored by the server. Opening the page records a new look for the next visit.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AdjustmentPage } from '../../../../src/views/shapes/agreements.ts'
import type { LastLookView } from '../../../../src/views/shapes/history.ts'
import { api } from '../../../api.ts'
import { adjustmentQuery } from '../../../components/agreements/queries.ts'
import { useWorkspace } from '../../../session.ts'

/** The look before this one. The value does not change while the page is open, even when data is fetched again. */
export function useLastLook({
  agreement: { slug },
  entry: { period, hash },
  lastLook,
}: AdjustmentPage): LastLookView | null {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const [before] = useState(lastLook)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one look is recorded for each number that is shown.
  useEffect(() => {
    const look = api.post(workspace.path('/agreements/:slug/periods/:period/look', { slug, period }), { hash })
    const { queryKey } = adjustmentQuery(workspace, slug, period)
    look.then(
      () => queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' }),
      () => undefined,
    )
  }, [workspace.slug, slug, period, hash])
  return before
}
