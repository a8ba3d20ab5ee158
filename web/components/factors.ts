// How the signed-in person proves who they are: what they have, and whether it has to be confirmed again.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { FactorsView } from '../../src/http/console/wire/factors.ts'
import { api } from '../api.ts'

export const factorsQuery = queryOptions({
  queryKey: ['factors'] as const,
  queryFn: ({ signal }) => api.get('/factors', signal),
  staleTime: 15_000,
})

export function useFactors() {
  return useQuery(factorsQuery)
}

/** Those that the browser can be asked for under this address. */
export function usablePasskeys(factors: FactorsView | undefined): readonly string[] {
  return factors?.passkeys.filter(({ isUsableHere }) => isUsableHere).map(({ id }) => id) ?? []
}

/** Whether an instant lies ahead by more than the moment it takes to ask. */
export function isAhead(until: string | null | undefined): boolean {
  return until != null && Date.parse(until) > Date.now() + 5_000
}
