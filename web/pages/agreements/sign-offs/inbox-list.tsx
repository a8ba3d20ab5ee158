// The rows that wait for this person: selecting, opening beside the list, signing, and the keys for all of it.
import { Button, Checkbox } from '@mantine/core'
import { type Dispatch, type ReactNode, type SetStateAction, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { InboxPeriod, InboxRow } from '../../../../src/views/shapes/inbox.ts'
import { Section } from '../../../components/page/page.tsx'
import { countOf, formatCount, formatInstant } from '../../../components/words/words.ts'
import { useSession, useWorkspace } from '../../../session.ts'
import { KeysDialog, useInboxKeys } from './inbox-keys.tsx'
import { InboxPanel } from './inbox-panel.tsx'
import { useTakeOut } from './inbox-queries.ts'
import { type InboxLine, InboxTable, linesOf, type RowActions, type RowSort } from './inbox-table.tsx'
import { useWalk } from './inbox-walk.ts'
import {
  keyOfRow,
  nothingSelected,
  refreshed,
  type Selection,
  selectAll,
  sizeOf,
  sizeOfRow,
  stateOfAll,
  togglePeriod,
  toggleRow,
  unselectAll,
} from './selection.ts'
import { formatSize, SignManyDialog } from './sign-many-dialog.tsx'
import classes from './sign-offs.module.css'
import { forgetRun, type Interrupted, recallRun, type SigningRun } from './signing-run.ts'

interface InboxListProps {
  readonly rows: readonly InboxRow[]
  /** Whether no filter hides any. */
  readonly isAll: boolean
  /** Whether everything that the filter shows is here; else there may be more rows in a moment. */
  readonly isComplete: boolean
  readonly sort: RowSort
  /** Selected rows, whatever the filters show. */
  readonly kept: Selection
  readonly setKept: Dispatch<SetStateAction<Selection>>
}

/** Selection being signed, and the row that opens next. */
interface AskedSelection {
  readonly selection: Selection
  readonly next: string | null
}

export function InboxList({ rows, isAll, isComplete, sort, kept, setKept }: InboxListProps) {
  const selection = useMemo(() => refreshed(kept, rows, isAll), [kept, rows, isAll])
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(() => linesOf(rows, expanded), [rows, expanded])
  const walk = useWalk(lines)
  const [asked, setAsked] = useState<AskedSelection | null>(null)
  const [isObjecting, setObjecting] = useState(false)
  const [isHelp, setHelp] = useState(false)
  const takeOut = useTakeOut()
  const { line, isOpen, open } = walk
  const actions = useMemo<RowActions>(
    () => ({
      open,
      expand: row => setExpanded(before => switched(before, keyOfRow(row))),
      select: (row, period) => setKept(before => toggle(before, row, period)),
    }),
    [open, setKept],
  )
  const signLine = ({ row, period }: InboxLine, goesOn: boolean) => {
    const next = goesOn ? rows[rows.indexOf(row) + 1] : undefined
    setAsked({ selection: toggle(nothingSelected, row, period), next: next === undefined ? null : keyOfRow(next) })
  }
  const signSelected = () => setAsked({ selection, next: null })
  useInboxKeys({
    move: walk.move,
    select: () => {
      if (line !== undefined) actions.select!(line.row, line.period)
    },
    open: () => {
      if (line !== undefined) open(line)
    },
    sign: () => {
      if (selection.size > 0) signSelected()
      else if (line !== undefined) signLine(line, isOpen)
    },
    object: () => {
      if (isOpen && line?.row.kind === 'periods') setObjecting(true)
    },
    close: walk.close,
    help: () => setHelp(true),
  })
  const signed = (keys: ReadonlySet<string>) => {
    setKept(before => unselectAll(before, keys))
    takeOut(keys)
  }
  const done = (run: SigningRun) => {
    const { selection: ended, next } = asked!
    // The rest stays selected.
    if (run.left.length === 0) setKept(before => unselectAll(before, new Set(ended.keys())))
    // The dialog gives the focus back to where it was opened from; only then it goes on.
    flushSync(() => setAsked(null))
    if (next !== null) walk.goOn(next)
  }
  return (
    <>
      {(rows.length > 0 || selection.size > 0) && (
        <Section title="Waiting for your signature">
          <LeftOver rows={rows} isAll={isAll} isSigning={asked !== null} select={setKept} />
          <SelectionBar
            rows={rows}
            isComplete={isComplete}
            selection={selection}
            change={setKept}
            sign={signSelected}
            help={() => setHelp(true)}
          />
          <div className={isOpen ? classes.split : undefined}>
            <FocusWatch arrive={walk.arrive}>
              <InboxTable
                label="Waiting for your signature"
                rows={rows}
                expanded={expanded}
                selection={selection}
                marked={line}
                isOpen={isOpen}
                actions={actions}
                goTo={walk.goTo}
                sort={sort}
              />
            </FocusWatch>
            {isOpen && (
              <InboxPanel
                line={line!}
                close={walk.close}
                sign={goesOn => signLine(line!, goesOn)}
                objecting={{ isAsked: isObjecting, ask: setObjecting }}
              />
            )}
          </div>
        </Section>
      )}
      {asked !== null && (
        <SignManyDialog selection={asked.selection} signed={signed} close={() => setAsked(null)} done={done} />
      )}
      {isHelp && <KeysDialog close={() => setHelp(false)} />}
    </>
  )
}

/** Tells which line has the focus, however it came there. */
function FocusWatch({ arrive, children }: { readonly arrive: (key: string) => void; readonly children: ReactNode }) {
  return (
    <div
      className={classes.list}
      onFocusCapture={event => {
        const key = event.target.closest('tr')?.dataset.key
        if (key !== undefined) arrive(key)
      }}
    >
      {children}
    </div>
  )
}

function switched(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

function toggle(selection: Selection, row: InboxRow, period: InboxPeriod | null): Selection {
  return period === null || row.kind !== 'periods' ? toggleRow(selection, row) : togglePeriod(selection, row, period)
}

interface SelectionBarProps {
  readonly rows: readonly InboxRow[]
  readonly isComplete: boolean
  readonly selection: Selection
  readonly change: (selection: Selection) => void
  readonly sign: () => void
  readonly help: () => void
}

function SelectionBar({ rows, isComplete, selection, change, sign, help }: SelectionBarProps) {
  const state = stateOfAll(selection, rows)
  const all = useAllOnceKnown(isComplete, () => change(selectAll(selection, rows)))
  const { periods, ...size } = sizeOf(selection)
  const shown = new Set(rows.map(keyOfRow))
  const hidden = [...selection.keys()].filter(key => !shown.has(key)).length
  return (
    <div className={classes.bar}>
      <Checkbox
        size="xs"
        label={isComplete ? `Select all ${formatCount(rows.length)}` : 'Select all'}
        checked={isComplete && state === 'all'}
        indeterminate={all.isAwaited || state === 'some' || (!isComplete && state === 'all')}
        onChange={() => (isComplete && state === 'all' ? change(unselectAll(selection, shown)) : all.ask())}
      />
      {all.isAwaited && (
        <span className="soft" role="status">
          All will be selected once the list is complete.
        </span>
      )}
      <Button size="xs" disabled={selection.size === 0 || all.isAwaited} onClick={sign}>
        {selection.size === 0 ? 'Sign the selected' : `Sign ${formatSize(size)} …`}
      </Button>
      {selection.size > 0 && (
        <>
          <span className="soft" aria-live="polite">
            {periods > 0 && `${countOf(periods, 'period')} selected`}
            {hidden > 0 && `, ${formatCount(hidden)} not shown by the filter`}
          </span>
          <Button size="compact-xs" variant="subtle" onClick={() => change(nothingSelected)}>
            Clear
          </Button>
        </>
      )}
      <Button size="compact-xs" variant="subtle" className={classes.help ?? ''} onClick={help}>
        Keys
      </Button>
    </div>
  )
}

/**
 * *Select all* means all there will be: while some rows are being computed it waits for them. Asked again, it no longer waits.
 */
function useAllOnceKnown(isComplete: boolean, select: () => void) {
  const [isAsked, setAsked] = useState(false)
  const isDue = isAsked && isComplete
  useEffect(() => {
    if (!isDue) return
    setAsked(false)
    select()
  })
  return { isAwaited: isAsked && !isDue, ask: () => setAsked(!isAsked) }
}

interface LeftOverProps extends Pick<InboxListProps, 'rows' | 'isAll'> {
  readonly isSigning: boolean
  readonly select: (selection: Selection) => void
}

/** The rest of a signing that was begun in this browser and not ended. */
function LeftOver({ rows, isAll, isSigning, select }: LeftOverProps) {
  const { slug } = useWorkspace()
  const personId = useSession()?.person.id ?? ''
  const [isDismissed, setDismissed] = useState(false)
  const left: Interrupted | null = isSigning || isDismissed ? null : recallRun(slug, personId)
  if (left === null) return null
  const keys = new Set(left.left)
  const own = rows.filter(row => keys.has(keyOfRow(row)))
  if (own.length === 0) {
    if (isAll) forgetRun(slug, personId)
    return null
  }
  const dismiss = () => {
    forgetRun(slug, personId)
    setDismissed(true)
  }
  return (
    <div className={classes.leftOver} role="status">
      <p>
        Signing stopped on {formatInstant(left.at)} after {formatCount(left.done)} of {formatCount(left.total)}.{' '}
        {countOf(
          own.reduce((sum, row) => sum + sizeOfRow(row), 0),
          'signature',
        )}{' '}
        for {countOf(own.length, 'row')} {own.length === 1 ? 'is' : 'are'} left.
      </p>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => {
          select(selectAll(nothingSelected, own))
          dismiss()
        }}
      >
        Select the rest
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={dismiss}>
        Dismiss
      </Button>
    </div>
  )
}
