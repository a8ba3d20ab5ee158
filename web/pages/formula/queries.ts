// What the pages of formulas ask the server for, each under the key by which a change makes it old.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type {
  AdjustmentPage,
  Comparison,
  FormulaPage,
  FormulaRow,
  SignOffs,
  VersionView,
} from '../../../src/http/console/wire/formulas.ts'
import { api } from '../../api.ts'
import { useWorkspace, type Workspace } from '../../session.ts'

const formulaPath = ({ path }: Workspace, slug: string, rest = '') =>
  path(`/formulas/${encodeURIComponent(slug)}${rest}`)

export function useFormulas() {
  const { slug, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', slug, 'formulas'],
    queryFn: ({ signal }) => api.get<FormulaRow[]>(path('/formulas'), signal),
  })
}

export function useFormula(slug: string, isWanted = true) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: ['w', workspace.slug, 'formulas', slug],
    queryFn: ({ signal }) => api.get<FormulaPage>(formulaPath(workspace, slug), signal),
    enabled: isWanted,
  })
}

export function useVersions(slug: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: ['w', workspace.slug, 'formulas', slug, 'versions'],
    queryFn: ({ signal }) => api.get<VersionView[]>(formulaPath(workspace, slug, '/versions'), signal),
  })
}

export function useComparison(slug: string, text: string | undefined) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'formulas', slug, 'compare', text],
    queryFn: ({ signal }) => api.post<Comparison>(path('/formulas/compare'), { text }, signal),
    enabled: text !== undefined,
  })
}

export function adjustmentQuery(workspace: Workspace, slug: string, period: string) {
  return queryOptions({
    queryKey: ['w', workspace.slug, 'formulas', slug, 'periods', period],
    queryFn: ({ signal }) =>
      api.get<AdjustmentPage>(formulaPath(workspace, slug, `/periods/${encodeURIComponent(period)}`), signal),
  })
}

export function useSignOffs() {
  const { slug, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', slug, 'sign-offs'],
    queryFn: ({ signal }) => api.get<SignOffs>(path('/sign-offs'), signal),
  })
}
