// Settings: one page with a section for each topic, each with its own address.
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { LoadingRows, PageHead } from '../../components/page/page.tsx'
import { type SettingsPlaceId, settingsPlaces } from '../../components/page/places.ts'
import { useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

const contents: Readonly<Record<SettingsPlaceId, ComponentType>> = {
  keys: lazy(async () => ({ default: (await import('./keys/keys.tsx')).Keys })),
  webhooks: lazy(async () => ({ default: (await import('./webhooks/webhooks.tsx')).Webhooks })),
  people: lazy(async () => ({ default: (await import('./people/people.tsx')).People })),
  'sign-in': lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignInSettings })),
  workspace: lazy(async () => ({ default: (await import('./workspace.tsx')).WorkspaceSettings })),
  company: lazy(async () => ({ default: (await import('./company/company.tsx')).Company })),
  parties: lazy(async () => ({ default: (await import('./parties/parties.tsx')).Parties })),
  providers: lazy(async () => ({ default: (await import('./providers.tsx')).Providers })),
  activity: lazy(async () => ({ default: (await import('./activity.tsx')).Activity })),
  proof: lazy(async () => ({ default: (await import('./proof.tsx')).Proof })),
  mail: lazy(async () => ({ default: (await import('./mail.tsx')).Mail })),
  sessions: lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions })),
}

export function SettingsPage() {
  const { part: wanted } = useParams({ strict: false })
  const workspace = useWorkspace()
  const open = settingsPlaces.filter(({ isFor }) => isFor(workspace))
  const part = open.find(({ id }) => id === wanted)
  if (part === undefined)
    return (
      <Navigate to="/w/$ws/settings/$part" params={{ ws: workspace.slug, part: open[0]?.id ?? 'sessions' }} replace />
    )
  const Content = contents[part.id]
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
        <Content />
      </Suspense>
    </>
  )
}
