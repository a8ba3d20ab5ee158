// The quiet page around signing in and setting a first password.
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { SchemeButton } from '../../frame/frame.tsx'
import classes from './entry.module.css'

export function Entry({
  title,
  children,
  foot,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly foot?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Assize`
  }, [title])
  return (
    <div className={classes.page}>
      <div className={classes.corner}>
        <SchemeButton />
      </div>
      <main className={classes.entry}>
        <div className={classes.brand}>
          <svg width="28" height="28" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 1.5 18.5 10 10 18.5 1.5 10Z" fill="none" stroke="currentColor" strokeWidth="1.5" />
            <path d="M6.5 10h7M10 6.5v7" stroke="currentColor" strokeWidth="1.5" />
          </svg>
          <span>Assize</span>
        </div>
        <h1 className={classes.title}>{title}</h1>
        {children}
        {foot !== undefined && <div className={classes.foot}>{foot}</div>}
      </main>
    </div>
  )
}
