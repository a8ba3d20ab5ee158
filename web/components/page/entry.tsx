// The plain page around signing in and setting a first password.

import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { visibleText } from '../../../src/core/text/foreign-text.ts'
import { SchemeButton } from '../../frame/frame.tsx'
import { Mark } from './brand.tsx'
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
    document.title = visibleText(`${title} · Assize`)
  }, [title])
  return (
    <div className={classes.page}>
      <div className={classes.corner}>
        <SchemeButton />
      </div>
      <main className={classes.entry}>
        <div className={classes.brand}>
          <Mark size={28} />
          <span>Assize</span>
        </div>
        <h1 className={classes.title}>{title}</h1>
        {children}
        {foot !== undefined && <div className={classes.foot}>{foot}</div>}
      </main>
    </div>
  )
}
