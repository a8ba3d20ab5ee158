// The formula builder: one document in three views, its result beside it, and saving that never happens by accident.
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { ContractWords } from '../../../../src/core/formula/words/contract-words.ts'
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { Bar, Notice } from './bar.tsx'
import classes from './builder.module.css'
import { BuilderProvider, useBuilder } from './builder-state.tsx'
import { openDocument } from './document/document.ts'
import { StepsView } from './editor/steps-view.tsx'
import { YamlView } from './editor/yaml-view.tsx'
import { ClauseView, Unreadable } from './form/clause-view.tsx'
import { slugTaken, type View } from './places.ts'
import { Result, StickySummary } from './result/result.tsx'
import { type LivePreview, usePreview } from './result/use-preview.ts'
import type { Origin } from './saving/save-dialog.tsx'
import { useWriting, type Writing } from './saving/use-writing.ts'
import { useForm } from './use-form.ts'
import { useGoing, useView } from './use-place.ts'
import { WordsBox } from './words/words-box.tsx'

interface BuilderProps {
  /** The saved document, or the template that a new agreement starts from. */
  readonly saved: Origin
  /** The slug of the agreement being edited; null for a new agreement. */
  readonly slug: string | null
  /** The key under which the draft is stored. */
  readonly draftPlace: string
  readonly takenSlugs: readonly string[]
  readonly signed: ReadonlySet<string>
  /** The contract's own words, as they are saved. */
  readonly words: ContractWords | null
}

export function Builder({ saved, slug, draftPlace, takenSlugs, signed, words: savedWords }: BuilderProps) {
  const writing = useWriting(saved, draftPlace, savedWords)
  const { text, setText, words } = writing
  const [refused, setRefused] = useState<{ readonly text: string; readonly problems: readonly ProblemView[] } | null>(
    null,
  )
  const settled = useDeferredValue(text)
  const document = useMemo(() => openDocument(settled), [settled])
  const live = usePreview(text, slug)
  const problems = useMemo(() => {
    const own = ownProblems(document.root.get('slug'), slug, takenSlugs)
    const told = live.newest?.problems ?? []
    return [...own, ...words.problems, ...told, ...(refused?.text === text ? refused.problems : [])]
  }, [document, live.newest, refused, text, slug, takenSlugs, words.problems])
  const warnings = live.newest?.warnings ?? []
  const { view, show } = useView(document, slug === null)
  const { state, open } = useForm({ text, document, setText, problems, warnings, isNew: slug === null, signed, view })
  const columns = useTop(view)
  const { goTo, onGo } = useGoing({ view, show, open })
  return (
    <BuilderProvider value={state}>
      <Bar
        view={view}
        show={show}
        writing={writing}
        live={live}
        draftPlace={draftPlace}
        onRefused={list => setRefused({ text, problems: list })}
      />
      <WritingNotices saved={saved} writing={writing} />
      <div className={classes.columns} ref={columns}>
        <div className={classes.left}>
          <DocumentView view={view} show={show} live={live} goTo={goTo} />
        </div>
        <Result live={live} onGo={onGo} above={<WordsBox work={words} />} />
      </div>
      <StickySummary live={live} />
    </BuilderProvider>
  )
}

/** A view starts at its top, however far down the previous one was scrolled. */
function useTop(view: View) {
  const columns = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the view changes.
  useEffect(() => {
    const place = columns.current
    if (place !== null && place.getBoundingClientRect().top < 0) place.scrollIntoView({ block: 'start' })
  }, [view])
  return columns
}

interface DocumentViewProps {
  readonly view: View
  readonly show: (view: View) => void
  readonly live: LivePreview
  readonly goTo: ReturnType<typeof useGoing>['goTo']
}

function DocumentView({ view, show, live, goTo }: DocumentViewProps) {
  const { unreadable } = useBuilder().document
  if (view === 'clause') return <ClauseView show={show} />
  if (view === 'yaml') return <YamlView goTo={goTo} />
  return unreadable === null ? <StepsView preview={live.newest} /> : <Unreadable words={unreadable} show={show} />
}

function WritingNotices({ saved, writing }: { readonly saved: Origin; readonly writing: Writing }) {
  const { origin, isDirty, wasRestored, follow } = writing
  return (
    <>
      {wasRestored && (
        <Notice>Your unsaved changes from before the reload are here. Discard them to go back to what is saved.</Notice>
      )}
      {(saved.revision ?? 0) > (origin.revision ?? 0) && (
        <Notice>
          Somebody saved version {saved.version} while you were editing.{' '}
          {isDirty ? 'Saving will show you what differs.' : ''}
          {!isDirty && (
            <button type="button" className={classes.textButton} onClick={follow}>
              Continue from there
            </button>
          )}
        </Notice>
      )}
    </>
  )
}

/** Problems that only the pages can find: the slug of a saved agreement cannot change, and two agreements cannot share one. */
function ownProblems(written: unknown, slug: string | null, taken: readonly string[]): ProblemView[] {
  if (typeof written !== 'string') return []
  if (slug !== null && written !== slug)
    return [
      {
        path: 'slug',
        message: `the slug of this agreement is ${slug} and cannot change; start a new agreement for another`,
        line: null,
      },
    ]
  if (slug === null && taken.includes(written)) return [slugTaken(written)]
  return []
}
