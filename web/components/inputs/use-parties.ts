// The parties of the workspace. Suppliers may not see them, so nothing is requested for suppliers.
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useWorkspace } from '../../session.ts'

export function useParties() {
  const { slug, path, role } = useWorkspace()
  return useQuery({
    queryKey: ['w', slug, 'parties'],
    queryFn: ({ signal }) => api.get(path('/parties'), signal),
    enabled: role !== 'supplier',
  })
}
