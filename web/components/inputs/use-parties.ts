// The parties of the workspace. Suppliers may not see them, so nothing is requested for suppliers.
import { useQuery } from '@tanstack/react-query'
import { useWorkspace, workspaceQuery } from '../../session.ts'

export function useParties() {
  const workspace = useWorkspace()
  return useQuery({
    ...workspaceQuery(workspace, '/parties'),
    enabled: workspace.role !== 'supplier',
  })
}
