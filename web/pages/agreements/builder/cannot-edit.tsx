// Why a person cannot change agreements here, and the people who can.
import type { ReactNode } from 'react'
import { Empty } from '../../../components/page/page.tsx'
import { useWorkspace } from '../../../session.ts'

export function CannotEdit({ what, action }: { readonly what: string; readonly action?: ReactNode }) {
  const { role, name } = useWorkspace()
  return (
    <Empty title={`Your role does not let you ${what}`} action={action}>
      In {name} you are a {role}. Owners and editors {what}; ask one of them to do it, or to change your role.
    </Empty>
  )
}
