// The key facts at the top of a page: a few figures, each with its label and a muted note.
import type { ReactNode } from 'react'
import classes from './facts.module.css'

export interface Fact {
  readonly label: string
  readonly value: ReactNode
  readonly note?: ReactNode
}

export function Facts({ facts, isSmall = false }: { readonly facts: readonly Fact[]; readonly isSmall?: boolean }) {
  return (
    <dl className={classes.facts} data-small={isSmall}>
      {facts.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <span className={classes.value}>{value}</span>
            {note !== undefined && note !== '' && <span className={classes.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
