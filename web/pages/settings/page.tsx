// Settings: one page with a section for each topic, each with its own address.
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { LoadingRows, PageHead } from '../../components/page/page.tsx'
import { useWorkspace, type Workspace } from '../../session.ts'
import classes from './settings.module.css'

interface Part {
  readonly id: string
  readonly label: string
  readonly Content: ComponentType
  readonly isFor: (workspace: Workspace) => boolean
}

const parts: readonly Part[] = [
  {
    id: 'keys',
    label: 'API keys',
    Content: lazy(async () => ({ default: (await import('./keys/keys.tsx')).Keys })),
    isFor: ({ canEdit }) => canEdit,
  },
  {
    id: 'webhooks',
    label: 'Webhooks',
    Content: lazy(async () => ({ default: (await import('./webhooks/webhooks.tsx')).Webhooks })),
    isFor: ({ canEdit }) => canEdit,
  },
  {
    id: 'people',
    label: 'People',
    Content: lazy(async () => ({ default: (await import('./people/people.tsx')).People })),
    isFor: ({ canManage }) => canManage,
  },
  {
    id: 'sign-in',
    label: 'Sign-in',
    Content: lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignInSettings })),
    isFor: ({ canManage }) => canManage,
  },
  {
    id: 'workspace',
    label: 'Workspace',
    Content: lazy(async () => ({ default: (await import('./workspace.tsx')).WorkspaceSettings })),
    isFor: () => true,
  },
  {
    id: 'company',
    label: 'Your company',
    Content: lazy(async () => ({ default: (await import('./company/company.tsx')).Company })),
    isFor: () => true,
  },
  {
    id: 'parties',
    label: 'Parties',
    Content: lazy(async () => ({ default: (await import('./parties/parties.tsx')).Parties })),
    isFor: ({ role }) => role !== 'supplier',
  },
  {
    id: 'providers',
    label: 'Providers',
    Content: lazy(async () => ({ default: (await import('./providers.tsx')).Providers })),
    isFor: ({ role }) => role !== 'supplier',
  },
  {
    id: 'activity',
    label: 'Activity',
    Content: lazy(async () => ({ default: (await import('./activity.tsx')).Activity })),
    isFor: ({ role }) => role !== 'supplier',
  },
  {
    id: 'proof',
    label: 'Proof',
    Content: lazy(async () => ({ default: (await import('./proof.tsx')).Proof })),
    isFor: () => true,
  },
  {
    id: 'mail',
    label: 'Notifications',
    Content: lazy(async () => ({ default: (await import('./mail.tsx')).Mail })),
    isFor: () => true,
  },
  {
    id: 'sessions',
    label: 'Your sign-in',
    Content: lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions })),
    isFor: () => true,
  },
]

export function SettingsPage() {
  const { part: wanted } = useParams({ strict: false })
  const workspace = useWorkspace()
  const open = parts.filter(({ isFor }) => isFor(workspace))
  const part = open.find(({ id }) => id === wanted)
  if (part === undefined)
    return (
      <Navigate to="/w/$ws/settings/$part" params={{ ws: workspace.slug, part: open[0]?.id ?? 'sessions' }} replace />
    )
  return (
    <>
      <PageHead title={part.label} heading="Settings" />
      <nav className={classes.parts} aria-label="Settings">
        {open.map(({ id, label }) => (
          <Link
            key={id}
            to="/w/$ws/settings/$part"
            params={{ ws: workspace.slug, part: id }}
            className={classes.part}
            activeProps={{ 'data-active': 'true', 'aria-current': 'page' }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<LoadingRows />}>
        <part.Content />
      </Suspense>
    </>
  )
}
