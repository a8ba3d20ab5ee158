// Parts of every page: its heading, and its contents when it is empty, when something failed, and while it loads.

import { Button, Skeleton, Title } from '@mantine/core'
import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { visibleText } from '../../../src/core/text/foreign-text.ts'
import { ApiFailure, isServerThere } from '../../api.ts'
import { asSentence, countOf } from '../words/words.ts'
import { IconAlert } from './icons.tsx'
import { TextLink } from './links.tsx'
import classes from './page.module.css'

interface Crumb {
  readonly label: string
  readonly to: LinkProps['to']
  readonly params?: Record<string, string>
}

interface PageHeadProps {
  readonly title: string
  /** Heading in place of the plain title if it needs more than text. */
  readonly heading?: ReactNode
  readonly crumbs?: readonly Crumb[]
  /** Muted line under the title. */
  readonly under?: ReactNode
  readonly actions?: ReactNode
}

export function PageHead({ title, heading, crumbs = [], under, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = visibleText(`${title} · Assize`)
  }, [title])
  return (
    <header className={classes.head}>
      {crumbs.length > 0 && (
        <nav className={`${classes.crumbs} no-print`} aria-label="Breadcrumbs">
          {crumbs.map(crumb => (
            <span key={crumb.label}>
              <TextLink to={crumb.to} params={crumb.params}>
                {crumb.label}
              </TextLink>
              <span aria-hidden="true"> / </span>
            </span>
          ))}
        </nav>
      )}
      <div className={classes.line}>
        <Title order={1}>{heading ?? title}</Title>
        {actions !== undefined && <div className={`${classes.actions} no-print`}>{actions}</div>}
      </div>
      {under !== undefined && <div className={classes.under}>{under}</div>}
    </header>
  )
}

export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="section">
      <h2 className={classes.sectionHead}>
        <span>{title}</span>
        {actions !== undefined && <span className={`${classes.actions} no-print`}>{actions}</span>}
      </h2>
      {children}
    </section>
  )
}

/** Says what is not here yet and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>{title}</p>
      {children !== undefined && <div className="soft prose">{children}</div>}
      {action !== undefined && <div className={classes.emptyAction}>{action}</div>}
    </div>
  )
}

/** Says what went wrong and what to do next. */
export function Trouble({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const failure = error instanceof ApiFailure ? error : null
  const message = failure?.message ?? 'Something went wrong on this page. Loading it again may help.'
  return (
    <div className={classes.trouble} role="alert">
      <IconAlert />
      <div>
        <p>{asSentence(message)}</p>
        {failure !== null && failure.problems.length > 0 && (
          <ul>
            {failure.problems.map(({ path, message: words, line }) => (
              <li key={`${path} ${words}`}>
                {path !== '' && <span className="mono">{path}</span>} {words}
                {line !== null && <span className="soft"> (line {line})</span>}
              </li>
            ))}
          </ul>
        )}
        {retry !== undefined && (
          <Button variant="default" size="xs" mt={8} onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}

/** Placeholder rows while a table loads: as tall as the real ones, so that nothing jumps. */
export function LoadingRows({ rows = 8 }: { readonly rows?: number }) {
  return (
    <div aria-busy="true" role="status">
      <span className="unseen">Loading</span>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never change places.
        <Skeleton key={i} height={20} my={8} radius={3} width={i % 3 === 2 ? '72%' : '100%'} />
      ))}
    </div>
  )
}

/** Contents for the current filters: while their answer is on its way, the held answer to the filters before is not shown. */
export function Filtered({ isOfBefore, children }: { readonly isOfBefore: boolean; readonly children: ReactNode }) {
  return isOfBefore ? <LoadingRows /> : children
}

export function LoadingPage() {
  return (
    <div>
      <Skeleton height={28} width={280} mb={24} />
      <LoadingRows rows={10} />
    </div>
  )
}

/** Contents of a route when its page throws. */
export function PageTrouble({ error }: { readonly error: unknown }) {
  return <Trouble error={error} retry={() => void loadAgain()} />
}

/** Reloads the page, because a half-loaded page cannot recover; but only if the server can be reached. */
async function loadAgain(): Promise<void> {
  if (await isServerThere()) location.reload()
}

/** Number of agreements that the server is still computing: the page shows them as they were last known, or not yet. */
export function Pending({ count }: { readonly count: number }) {
  return (
    <p aria-live="polite" className="soft" hidden={count === 0} data-is-known={count === 0}>
      {count > 0 &&
        `Updating: ${countOf(count, 'agreement')} ${count === 1 ? 'is' : 'are'} shown as last known until ${count === 1 ? 'it is' : 'they are'} computed.`}
    </p>
  )
}
