// State of the form around a document: open lines, the unit of shares, and the facts it needs.
import { useMemo, useState } from 'react'
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { useParties } from '../../../components/inputs/use-parties.ts'
import type { BuilderState, PartyShelf } from './builder-state.tsx'
import { setAt } from './document/document.ts'
import { inWords, placeWords } from './document/place-words.ts'
import { inUnit, type ShareUnit } from './document/weights.ts'
import type { View } from './places.ts'
import { useSeries } from './use-series.ts'

interface FormParts {
  readonly text: string
  readonly document: BuilderState['document']
  readonly setText: (edit: (text: string) => string) => void
  readonly problems: readonly ProblemView[]
  readonly warnings: readonly ProblemView[]
  readonly isNew: boolean
  readonly signed: ReadonlySet<string>
  readonly view: View
}

export function useForm({ text, document, setText, problems, warnings, isNew, signed, view }: FormParts) {
  const series = useSeries()
  const parties = usePartyShelf()
  const [unit, setUnit] = useState<ShareUnit>('percent')
  const [openLines, setOpenLines] = useState<ReadonlySet<string>>(() => new Set(isNew ? ['name', 'parties'] : []))
  const open = (line: string) => setOpenLines(lines => new Set([...lines, line]))
  const state = useMemo<BuilderState>(() => {
    const say = (notes: readonly ProblemView[]) => (view === 'clause' ? inWords(notes) : notes)
    return {
      text,
      document,
      set: (path, value) => setText(before => setAt(before, path, value)),
      change: edit => setText(edit),
      problems: say(inUnit(problems, unit)),
      warnings: say(inUnit(warnings, unit)),
      placeName: view === 'clause' ? placeWords : path => path,
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
    }
  }, [text, document, setText, problems, warnings, series, parties, unit, openLines, isNew, signed, view])
  return { state, open }
}

function usePartyShelf(): PartyShelf {
  const rows = useParties().data
  return useMemo(() => {
    const names = new Map((rows ?? []).map(({ slug, name }) => [slug, name]))
    return { rows: rows ?? [], nameOf: slug => names.get(slug) ?? slug }
  }, [rows])
}
