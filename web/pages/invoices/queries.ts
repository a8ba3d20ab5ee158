// Kept invoice lines from the server. A page of them may be short because few of the lines it looked through match.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type InvoiceLineState, keptStates } from '../../../src/core/invoices/line-state.ts'
import type { InvoiceLineList, InvoiceLineView } from '../../../src/views/shapes/invoices.ts'
import { api } from '../../api.ts'
import type { AddressTexts } from '../../components/page/address.ts'
import { useWorkspace, type Workspace } from '../../session.ts'

export interface InvoiceFilter {
  readonly q?: string | undefined
  readonly supplier?: string | undefined
  readonly agreement?: string | undefined
  readonly period?: string | undefined
  readonly state?: InvoiceLineState | undefined
}

/** Filters in the address; an unknown state is ignored. */
export function filterOf({ q, supplier, agreement, period, state }: AddressTexts): InvoiceFilter {
  return { q, supplier, agreement, period, state: keptStates.find(each => each === state) }
}

/** A screen of rows: until there are so many, further lines are looked through. */
const enoughRows = 50

export function useKeptInvoices(filter: InvoiceFilter) {
  const { slug, path } = useWorkspace()
  const query = useInfiniteQuery({
    queryKey: ['w', slug, 'invoices', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get(path('/invoices', { ...filter, after: pageParam ?? undefined }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: before => before,
  })
  const { data, hasNextPage, isFetching, isPlaceholderData, fetchNextPage, error } = query
  const pages: readonly InvoiceLineList[] = data?.pages ?? []
  const rows = pages.flatMap(page => page.rows)
  const lacksRows = rows.length < enoughRows && hasNextPage && !isFetching && !isPlaceholderData && error === null
  useEffect(() => {
    if (lacksRows) void fetchNextPage()
  }, [lacksRows, fetchNextPage])
  return {
    ...query,
    rows,
    looked: pages.reduce((sum, page) => sum + page.looked, 0),
    total: pages[0]?.total ?? null,
    suppliers: pages[0]?.suppliers ?? [],
  }
}

/** Every line that matches, however many there are. */
export async function readAllLines(
  path: Workspace['path'],
  filter: InvoiceFilter,
): Promise<readonly InvoiceLineView[]> {
  const rows: InvoiceLineView[] = []
  let after: string | undefined
  do {
    const page = await api.get(path('/invoices', { ...filter, after }))
    rows.push(...page.rows)
    after = page.next ?? undefined
  } while (after !== undefined)
  return rows
}
