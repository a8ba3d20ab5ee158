// The bar above the builder: which view, whether anything is unsaved, and buttons to save, discard or leave.
import { Button, Modal, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef } from 'react'
import type { Saved } from '../../../../src/views/shapes/agreements.ts'
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
import { type Origin, SaveDialog, saveWords } from './saving/save-dialog.tsx'

interface BarProps {
  readonly view: View
  readonly show: (view: View) => void
  readonly origin: Origin
  readonly live: LivePreview
  readonly isDirty: boolean
  readonly draftPlace: string
  readonly onDiscard: () => void
  readonly onOrigin: (origin: Origin) => void
  readonly onRefused: (problems: readonly ProblemView[]) => void
}

export function Bar({ view, show, origin, live, isDirty, draftPlace, onDiscard, onOrigin, onRefused }: BarProps) {
  const { text, document, problems } = useBuilder()
  const { slug: workspace } = useWorkspace()
  const navigate = useNavigate()
  const [isSaving, saving] = useDisclosure(false)
  const [isDiscarding, discarding] = useDisclosure(false)
  const isLeaving = useRef(false)
  const outcome = useMemo(() => outcomeOf(origin.text, text), [origin.text, text])
  const isNew = origin.version === 0
  const slug = textAt(document.root, ['slug'])
  const whyNot = whyNotSave({ outcome, isNew, problems: problems.length, hasResult: live.lastGood !== null })
  const onSaved = (saved: Saved) => {
    isLeaving.current = true
    keepDraft(draftPlace, null)
    void navigate({ to: '/w/$ws/agreements/$slug', params: { ws: workspace, slug: saved.slug } })
  }
  return (
    <div className={classes.bar}>
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
          {saveWords(isNew ? 'new version' : outcome === 'changed' ? 'changed' : 'new version', origin.version)}…
        </Button>
      </span>
      {live.lastGood !== null && (
        <SaveDialog
          isOpen={isSaving}
          close={saving.close}
          text={text}
          slug={slug}
          origin={origin}
          outcome={outcome}
          preview={numbersOf(live.lastGood, 'in-force')}
          isCurrent={live.goodText === text}
          currency={textAt(document.root, ['contract', 'price', 'currency'])}
          onSaved={onSaved}
          onRefused={list => {
            saving.close()
            onRefused(list)
          }}
          onOrigin={onOrigin}
        />
      )}
      <Modal opened={isDiscarding} onClose={discarding.close} title="Discard the changes">
        <p>Your changes since it was last saved are lost; this cannot be undone.</p>
        <div className={classes.dialogActions}>
          <Button variant="default" onClick={discarding.close}>
            Keep them
          </Button>
          <Button
            color="red.8"
            onClick={() => {
              onDiscard()
              discarding.close()
            }}
          >
            Discard
          </Button>
        </div>
      </Modal>
      <Leaving isDirty={isDirty} isLeaving={isLeaving} draftPlace={draftPlace} />
    </div>
  )
}

interface SaveState {
  readonly outcome: Outcome
  readonly isNew: boolean
  readonly problems: number
  readonly hasResult: boolean
}

/** Null if the document can be saved. */
function whyNotSave({ outcome, isNew, problems, hasResult }: SaveState): string | null {
  if (problems > 0) return `${countOf(problems, 'problem')} to fix before it can be saved`
  if (!isNew && outcome === 'unchanged') return 'No changes'
  if (!isNew && outcome === 'layout') return 'Only comments or layout differ: the saved document stays'
  return hasResult ? null : 'Being computed'
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
    <Modal opened={isBlocked} onClose={() => blocker.reset?.()} title="Leave without saving">
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
          Leave and lose them
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
