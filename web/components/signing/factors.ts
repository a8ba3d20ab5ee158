// Factors of the signed-in person, and whether they have to confirm again who they are.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { FactorsView } from '../../../src/views/shapes/factors.ts'
import { api } from '../../api.ts'

export const factorsQuery = queryOptions({
  queryKey: ['factors'] as const,
  queryFn: ({ signal }) => api.get('/factors', signal),
  staleTime: 15_000,
})

export function useFactors() {
  return useQuery(factorsQuery)
}

/** The passkeys that the browser can use at this address. */
export function usablePasskeys(factors: FactorsView | undefined): readonly string[] {
  return factors?.passkeys.filter(({ isUsableHere }) => isUsableHere).map(({ id }) => id) ?? []
}

/** Whether an instant is far enough ahead that a request sent now arrives before it. */
export function isAhead(until: string | null | undefined): boolean {
  return until != null && Date.parse(until) > Date.now() + 5_000
}
