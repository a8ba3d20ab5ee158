// First steps in an empty workspace, in order; for a supplier, the things to expect.
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/views/shapes/overview.ts'
import { State } from '../../components/figures/figures.tsx'
import { LinkButton } from '../../components/page/links.tsx'
import { Empty } from '../../components/page/page.tsx'
import { useWorkspace } from '../../session.ts'
import classes from './overview.module.css'

export function FirstSteps({ counts }: { readonly counts: Overview['counts'] }) {
  const { slug, canEdit, role } = useWorkspace()
  const params = { ws: slug }
  if (role === 'supplier') return <NoAgreement />
  return (
    <>
      <ol className={classes.steps}>
        <Step title="Add an index" isDone={counts.series > 0}>
          <p className="soft">
            Follow a series of a statistics office: every value that it publishes is kept, with every revision. Or
            upload your own figures.
          </p>
          {canEdit && (
            <div className={classes.stepActions}>
              <LinkButton
                to="/w/$ws/series/follow"
                params={params}
                variant={counts.series === 0 ? 'filled' : 'default'}
              >
                Follow a series
              </LinkButton>
              <LinkButton to="/w/$ws/series/upload" params={params}>
                Upload figures
              </LinkButton>
            </div>
          )}
        </Step>
        <Step title="Write the agreement" isDone={counts.agreements > 0}>
          <p className="soft">
            Start from a template or paste the clause from your contract. The price over the whole history shows as you
            type.
          </p>
          {canEdit && (
            <div className={classes.stepActions}>
              <LinkButton
                to="/w/$ws/agreements/new"
                params={params}
                variant={counts.series > 0 && counts.agreements === 0 ? 'filled' : 'default'}
              >
                New agreement
              </LinkButton>
            </div>
          )}
        </Step>
        <Step title="Let your systems read it" isDone={counts.keys > 0}>
          <p className="soft">
            Create an API key for your ERP or accounts payable system; buyer and supplier sign here.
          </p>
          {canEdit && (
            <div className={classes.stepActions}>
              <LinkButton to="/w/$ws/settings/$part" params={{ ...params, part: 'keys' }}>
                API keys
              </LinkButton>
            </div>
          )}
        </Step>
      </ol>
      {!canEdit && <p className="soft">An owner or editor of this workspace takes these steps.</p>}
    </>
  )
}

/** Note without an agreement: others write agreements, and a supplier sees nothing of those that do not name it. */
function NoAgreement() {
  const { slug } = useWorkspace()
  return (
    <Empty
      title="No agreement names you or your party yet"
      action={
        <LinkButton to="/w/$ws/settings/$part" params={{ ws: slug, part: 'company' }}>
          Your company
        </LinkButton>
      }
    >
      As soon as one is in force, its price, your sign-offs and the balance between the two sides appear here. Until
      then, see who may sign for your company.
    </Empty>
  )
}

function Step({
  title,
  isDone,
  children,
}: {
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}) {
  return (
    <li className={classes.step}>
      <h2 className={classes.stepTitle}>
        {title} {isDone && <State kind="good">done</State>}
      </h2>
      {children}
    </li>
  )
}
