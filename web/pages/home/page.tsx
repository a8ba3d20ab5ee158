// The bare address: redirects to the last workspace, or to the first one, or to the sign-in page.
import { Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Empty, PageHead } from '../../components/page/page.tsx'
import { useSession } from '../../session.ts'

export function HomePage() {
  return (
    <Suspense fallback={null}>
      <Onward />
    </Suspense>
  )
}

function Onward() {
  const session = useSession()
  if (session === null) return <Navigate to="/sign-in" replace />
  const first = session.workspaces[0]
  if (first === undefined)
    return (
      <main className="prose">
        <PageHead title="Assize" />
        <Empty title="You are not a member of any workspace">Ask an owner of a workspace for an invitation.</Empty>
      </main>
    )
  return <Navigate to="/w/$ws" params={{ ws: first.slug }} replace />
}
