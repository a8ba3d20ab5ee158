// The formula builder: one document in three views, its result beside it, and saving that never happens by accident.
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { useParties } from '../../../components/inputs/use-parties.ts'
import { useAddress } from '../../../components/page/address.ts'
import { Bar, Notice } from './bar.tsx'
import classes from './builder.module.css'
import { BuilderProvider, type BuilderState, type PartyShelf } from './builder-state.tsx'
import { hasAt, openDocument, setAt } from './document/document.ts'
import { inUnit, type ShareUnit } from './document/weights.ts'
import { StepsView } from './editor/steps-view.tsx'
import { YamlView } from './editor/yaml-view.tsx'
import { ClauseView, Unreadable } from './form/clause-view.tsx'
import { fieldId } from './form/fields.tsx'
import { placesAround, slugTaken, spotOf, type View } from './places.ts'
import { Result, StickySummary } from './result/result.tsx'
import { usePreview } from './result/use-preview.ts'
import { keepDraft, readDraft } from './saving/draft.ts'
import type { Origin } from './saving/save-dialog.tsx'
import { useSeries } from './use-series.ts'

interface BuilderProps {
  /** The saved document, or the template that a new agreement starts from. */
  readonly saved: Origin
  /** The slug of the agreement being edited; null for a new agreement. */
  readonly slug: string | null
  /** The key under which the draft is stored. */
  readonly draftPlace: string
  /** Slugs that are taken. */
  readonly takenSlugs: readonly string[]
  readonly signed: ReadonlySet<string>
}

export function Builder({ saved, slug, draftPlace, takenSlugs, signed }: BuilderProps) {
  const [origin, setOrigin] = useState(() => beginFrom(saved, draftPlace))
  const [text, setText] = useState(() => readDraft(draftPlace)?.text ?? saved.text)
  const [wasRestored, setRestored] = useState(() => text !== saved.text)
  const [refused, setRefused] = useState<{ readonly text: string; readonly problems: readonly ProblemView[] } | null>(
    null,
  )
  const settled = useDeferredValue(text)
  const document = useMemo(() => openDocument(settled), [settled])
  const live = usePreview(text, slug)
  const isDirty = text !== origin.text
  const problems = useMemo(() => {
    const own = ownProblems(document.root.get('slug'), slug, takenSlugs)
    const told = live.newest?.problems ?? []
    return [...own, ...told, ...(refused?.text === text ? refused.problems : [])]
  }, [document, live.newest, refused, text, slug, takenSlugs])

  useEffect(() => {
    const { version, revision } = origin
    keepDraft(draftPlace, isDirty ? { text, basedOn: version, revision } : null)
  }, [text, isDirty, draftPlace, origin])

  const { state, open } = useForm({
    text,
    document,
    setText,
    problems,
    warnings: live.newest?.warnings ?? [],
    isNew: slug === null,
    signed,
  })
  const columns = useRef<HTMLDivElement>(null)
  const { view, show } = useView(document, slug === null)
  // A view starts at its top, however far down the previous one was scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the view changes.
  useEffect(() => {
    const place = columns.current
    if (place !== null && place.getBoundingClientRect().top < 0) place.scrollIntoView({ block: 'start' })
  }, [view])
  const { goTo, onGo } = useGoing({ view, show, open })
  return (
    <BuilderProvider value={state}>
      <Bar
        view={view}
        show={show}
        origin={origin}
        live={live}
        isDirty={isDirty}
        draftPlace={draftPlace}
        onDiscard={() => {
          setText(saved.text)
          setOrigin(saved)
          setRestored(false)
        }}
        onOrigin={newer => {
          setOrigin(newer)
          live.again()
        }}
        onRefused={list => setRefused({ text, problems: list })}
      />
      {wasRestored && isDirty && (
        <Notice>Your unsaved changes from before the reload are here. Discard them to go back to what is saved.</Notice>
      )}
      {(saved.revision ?? 0) > (origin.revision ?? 0) && (
        <Notice>
          Somebody saved version {saved.version} while you were editing.{' '}
          {isDirty ? 'Saving will show you what differs.' : ''}
          {!isDirty && (
            <button
              type="button"
              className={classes.textButton}
              onClick={() => {
                setOrigin(saved)
                setText(saved.text)
              }}
            >
              Continue from there
            </button>
          )}
        </Notice>
      )}
      <div className={classes.columns} ref={columns}>
        <div className={classes.left}>
          {view === 'clause' && <ClauseView show={show} />}
          {view === 'steps' &&
            (document.unreadable === null ? (
              <StepsView preview={live.newest} />
            ) : (
              <Unreadable words={document.unreadable} show={show} />
            ))}
          {view === 'yaml' && <YamlView goTo={goTo} />}
        </div>
        <Result live={live} onGo={onGo} />
      </div>
      <StickySummary live={live} />
    </BuilderProvider>
  )
}

/** A draft keeps the version it was started from, which may not be the newest any more. */
function beginFrom(saved: Origin, draftPlace: string): Origin {
  const draft = readDraft(draftPlace)
  return draft === null ? saved : { ...saved, version: draft.basedOn, revision: draft.revision }
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

interface FormParts {
  readonly text: string
  readonly document: BuilderState['document']
  readonly setText: (edit: (text: string) => string) => void
  readonly problems: readonly ProblemView[]
  readonly warnings: readonly ProblemView[]
  readonly isNew: boolean
  readonly signed: ReadonlySet<string>
}

function useForm({ text, document, setText, problems, warnings, isNew, signed }: FormParts) {
  const series = useSeries()
  const parties = usePartyShelf()
  const [unit, setUnit] = useState<ShareUnit>('percent')
  const [openLines, setOpenLines] = useState<ReadonlySet<string>>(() => new Set(isNew ? ['name', 'parties'] : []))
  const open = (line: string) => setOpenLines(lines => new Set([...lines, line]))
  const state = useMemo<BuilderState>(
    () => ({
      text,
      document,
      set: (path, value) => setText(before => setAt(before, path, value)),
      change: edit => setText(edit),
      problems: inUnit(problems, unit),
      warnings: inUnit(warnings, unit),
      series,
      parties,
      unit,
      setUnit,
      isOpen: line => openLines.has(line),
      toggle: line =>
        setOpenLines(lines =>
          lines.has(line) ? new Set([...lines].filter(each => each !== line)) : new Set([...lines, line]),
        ),
      isNew,
      signed,
    }),
    [text, document, setText, problems, warnings, series, parties, unit, openLines, isNew, signed],
  )
  return { state, open }
}

function usePartyShelf(): PartyShelf {
  const rows = useParties().data
  return useMemo(() => {
    const names = new Map((rows ?? []).map(({ slug, name }) => [slug, name]))
    return { rows: rows ?? [], nameOf: slug => names.get(slug) ?? slug }
  }, [rows])
}

/** The view named in the address; otherwise the form, or the steps if the saved document has no clause. */
function useView({ root, unreadable }: BuilderState['document'], isNew: boolean) {
  const [{ view: asked }, change] = useAddress()
  const isStepped = unreadable === null && hasAt(root, ['steps']) && !hasAt(root, ['clause'])
  const fitting: View = isStepped && !isNew ? 'steps' : 'clause'
  const first = useRef(fitting)
  const view: View = asked === 'clause' || asked === 'steps' || asked === 'yaml' ? asked : first.current
  const show = (next: View) => change({ view: next })
  return { view, show }
}

interface GoingParts {
  readonly view: View
  readonly show: (view: View) => void
  readonly open: (line: string) => void
}

/** Goes from a problem to the place where it can be fixed. */
function useGoing({ view, show, open }: GoingParts) {
  const [goTo, setGoTo] = useState<{ readonly line: number } | null>(null)
  const [wanted, setWanted] = useState<{ readonly path: string } | null>(null)
  useEffect(() => {
    if (wanted === null) return
    const field = placesAround(wanted.path)
      .map(place => window.document.getElementById(fieldId(place)))
      .find(found => found !== null)
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [wanted])
  const onGo = ({ path, line }: ProblemView) => {
    const spot = spotOf(path)
    if (view === 'yaml' || spot === null) {
      show('yaml')
      setGoTo({ line: line ?? 1 })
      return
    }
    if (spot.line !== null) open(spot.line)
    if (spot.view !== view) show(spot.view)
    // Once the line is open.
    setTimeout(() => setWanted({ path }), 50)
  }
  return { goTo, onGo }
}
