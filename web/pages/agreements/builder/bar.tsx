// Bar above the builder: the view, whether anything is unsaved, and buttons to save, discard or leave.
import { Button, Modal, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef } from 'react'
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { IconInfo } from '../../../components/page/icons.tsx'
import { countOf } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './builder.module.css'
import { useBuilder } from './builder-state.tsx'
import { textAt } from './document/document.ts'
import type { View } from './places.ts'
import { numbersOf } from './result/numbers.ts'
import type { LivePreview } from './result/use-preview.ts'
import { keepDraft } from './saving/draft.ts'
import { type Outcome, outcomeOf } from './saving/outcome.ts'
import { SaveDialog, saveWords } from './saving/save-dialog.tsx'
import type { Writing } from './saving/use-writing.ts'

interface BarProps {
  readonly view: View
  readonly show: (view: View) => void
  readonly writing: Writing
  readonly live: LivePreview
  readonly draftPlace: string
  readonly onRefused: (problems: readonly ProblemView[]) => void
}

export function Bar({ view, show, writing, live, draftPlace, onRefused }: BarProps) {
  const { problems, signed } = useBuilder()
  const { origin, text, isDirty, words, discard } = writing
  const [isSaving, saving] = useDisclosure(false)
  const [isDiscarding, discarding] = useDisclosure(false)
  const isLeaving = useRef(false)
  const isReworded = words.isChanged
  const isSigned = signed.size > 0
  const outcome = useMemo(
    () => outcomeOf(origin.text, text, { isSigned, isReworded }),
    [origin.text, text, isSigned, isReworded],
  )
  const isNew = origin.version === 0
  const whyNot = whyNotSave({ outcome, isNew, problems: problems.length, hasResult: live.lastGood !== null })
  return (
    <div className={classes.bar}>
      <ViewChoice view={view} show={show} />
      <span className={classes.barState} id="save-state">
        {whyNot ?? 'Not saved yet'}
      </span>
      <span className={classes.barActions}>
        {isDirty && (
          <Button variant="subtle" color="gray" onClick={discarding.open}>
            Discard
          </Button>
        )}
        <Button onClick={saving.open} disabled={whyNot !== null} aria-describedby="save-state">
          {saveWords(outcome, origin.version)}…
        </Button>
      </span>
      <Saving
        isOpen={isSaving}
        close={saving.close}
        writing={writing}
        outcome={outcome}
        live={live}
        onStored={() => {
          isLeaving.current = true
          keepDraft(draftPlace, null)
        }}
        onRefused={onRefused}
      />
      <Discarding isOpen={isDiscarding} close={discarding.close} discard={discard} />
      <Leaving isDirty={isDirty} isLeaving={isLeaving} draftPlace={draftPlace} />
    </div>
  )
}

function ViewChoice({ view, show }: Pick<BarProps, 'view' | 'show'>) {
  return (
    <SegmentedControl
      size="sm"
      aria-label="View of the document"
      value={view}
      onChange={value => show(value as View)}
      data={[
        { value: 'clause', label: 'Clause' },
        { value: 'steps', label: 'Steps' },
        { value: 'yaml', label: 'YAML' },
      ]}
    />
  )
}

interface SavingProps extends Pick<BarProps, 'writing' | 'live' | 'onRefused'> {
  readonly isOpen: boolean
  readonly close: () => void
  readonly outcome: Outcome
  /** Nothing is unsaved any more: the page can be left. */
  readonly onStored: () => void
}

function Saving({ isOpen, close, writing, outcome, live, onStored, onRefused }: SavingProps) {
  const { document } = useBuilder()
  const { slug: workspace } = useWorkspace()
  const navigate = useNavigate()
  const { text, origin, words, setOrigin } = writing
  if (live.lastGood === null) return null
  return (
    <SaveDialog
      isOpen={isOpen}
      close={close}
      text={text}
      words={words}
      slug={textAt(document.root, ['slug'])}
      origin={origin}
      outcome={outcome}
      preview={numbersOf(live.lastGood, 'in-force')}
      isCurrent={live.goodText === text}
      currency={textAt(document.root, ['contract', 'price', 'currency'])}
      onStored={onStored}
      showAgreement={slug => void navigate({ to: '/w/$ws/agreements/$slug', params: { ws: workspace, slug } })}
      showProposal={id => void navigate({ to: '/w/$ws/index-changes/$id', params: { ws: workspace, id } })}
      onRefused={list => {
        close()
        onRefused(list)
      }}
      onOrigin={newer => {
        setOrigin(newer)
        live.again()
      }}
    />
  )
}

interface DiscardingProps {
  readonly isOpen: boolean
  readonly close: () => void
  readonly discard: () => void
}

function Discarding({ isOpen, close, discard }: DiscardingProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Discard the changes">
      <p>Your changes since the last save are lost. This cannot be undone.</p>
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          color="red.8"
          onClick={() => {
            discard()
            close()
          }}
        >
          Discard
        </Button>
      </div>
    </Modal>
  )
}

interface SaveState {
  readonly outcome: Outcome
  readonly isNew: boolean
  readonly problems: number
  readonly hasResult: boolean
}

/** Why the document cannot be saved; null if it can. */
function whyNotSave({ outcome, isNew, problems, hasResult }: SaveState): string | null {
  if (problems > 0) return `${countOf(problems, 'problem')} to fix before it can be saved`
  if (!isNew && outcome === 'unchanged') return 'No changes'
  if (!isNew && outcome === 'layout') return 'Only comments or layout differ: the saved document stays'
  return hasResult ? null : 'Computing'
}

interface LeavingProps {
  readonly isDirty: boolean
  /** Set while leaving a document that was just saved: then nothing is asked. */
  readonly isLeaving: { readonly current: boolean }
  readonly draftPlace: string
}

/** Asks before unsaved changes are lost. */
function Leaving({ isDirty, isLeaving, draftPlace }: LeavingProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isLeaving.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty && !isLeaving.current,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  return (
    <Modal opened={isBlocked} onClose={() => blocker.reset?.()} title="Unsaved changes">
      <p>The changes to this document are not saved.</p>
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={() => blocker.reset?.()}>
          Stay here
        </Button>
        <Button
          color="red.8"
          onClick={() => {
            keepDraft(draftPlace, null)
            blocker.proceed?.()
          }}
        >
          Leave without saving
        </Button>
      </div>
    </Modal>
  )
}

export function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <p className={classes.notice} role="status">
      <IconInfo />
      <span>{children}</span>
    </p>
  )
}
