// A line of the clause: a sentence that opens to show its fields. A closed line still shows the problems inside.
import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { IconAlert, IconChevron, IconInfo } from '../../../../components/page/icons.tsx'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { isAtOrUnder, keyed } from '../problems.ts'

interface LineProps {
  /** Identifies the line; if `places` is left out, also the place in the document it covers. */
  readonly place: string
  /** Places in the document whose problems are shown here. */
  readonly places?: readonly string[]
  readonly sentence: ReactNode
  readonly children: ReactNode
}

export function Line({ place, places = [place], sentence, children }: LineProps) {
  const { isOpen, toggle } = useBuilder()
  const id = useId()
  const open = isOpen(place)
  return (
    <div className={classes.line} data-open={open}>
      <UnstyledButton
        className={classes.lineHead}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => toggle(place)}
      >
        <span className={classes.sentence}>{sentence}</span>
        <span className={classes.chevron}>
          <IconChevron />
        </span>
      </UnstyledButton>
      {!open && <NotesUnder places={places} />}
      <div id={id} className={classes.lineBody} hidden={!open}>
        {open && children}
      </div>
    </div>
  )
}

/** The problems and warnings at or inside some places. */
function NotesUnder({ places }: { readonly places: readonly string[] }) {
  const { problems, warnings } = useBuilder()
  const isHere = ({ path }: { readonly path: string }) => places.some(place => isAtOrUnder(path, place))
  return <Notes problems={problems.filter(isHere)} warnings={warnings.filter(isHere)} />
}

/** Notes at exactly these places: for groups whose fields show the rest themselves. */
export function NotesAt({ places }: { readonly places: readonly string[] }) {
  const { problems, warnings } = useBuilder()
  const isHere = ({ path }: { readonly path: string }) => places.includes(path)
  return <Notes problems={problems.filter(isHere)} warnings={warnings.filter(isHere)} />
}

/** Notes inside a place but in none of its fields: unknown keys. */
export function NotesElse({ place, keys }: { readonly place: string; readonly keys: readonly string[] }) {
  const { problems, warnings } = useBuilder()
  const isElse = ({ path }: { readonly path: string }) =>
    path === place || (isAtOrUnder(path, place) && !keys.some(key => isAtOrUnder(path, `${place}.${key}`)))
  return <Notes problems={problems.filter(isElse)} warnings={warnings.filter(isElse)} />
}

function Notes({
  problems,
  warnings,
}: {
  readonly problems: readonly { readonly message: string }[]
  readonly warnings: readonly { readonly message: string }[]
}) {
  if (problems.length + warnings.length === 0) return null
  return (
    <ul className={classes.notes}>
      {keyed(problems, ({ message }) => message).map(([id, { message }]) => (
        <li key={id} data-kind="problem">
          <span className={classes.noteSign}>
            <IconAlert />
          </span>
          <span>{message}</span>
        </li>
      ))}
      {keyed(warnings, ({ message }) => message).map(([id, { message }]) => (
        <li key={id} data-kind="warning">
          <span className={classes.noteSign}>
            <IconInfo />
          </span>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  )
}

/** Rare fields, hidden until somebody opens them, or until something in them is written or wrong. */
export function More({
  label,
  isNeeded,
  children,
}: {
  readonly label: string
  readonly isNeeded: boolean
  readonly children: ReactNode
}) {
  const [isAsked, setAsked] = useState<boolean | null>(null)
  const open = isAsked ?? isNeeded
  const id = useId()
  return (
    <div className={classes.more}>
      <UnstyledButton
        className={classes.moreHead}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setAsked(!open)}
        data-open={open}
      >
        <span className={classes.moreSign}>
          <IconChevron />
        </span>
        {label}
      </UnstyledButton>
      <div id={id} className={classes.moreBody} hidden={!open}>
        {open && children}
      </div>
    </div>
  )
}
