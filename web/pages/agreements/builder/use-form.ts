// The state of the form around a document: which lines are open, in which unit shares are written, and what it needs to know.
import { useMemo, useState } from 'react'
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { useParties } from '../../../components/inputs/use-parties.ts'
import type { BuilderState, PartyShelf } from './builder-state.tsx'
import { setAt } from './document/document.ts'
import { inUnit, type ShareUnit } from './document/weights.ts'
import { useSeries } from './use-series.ts'

interface FormParts {
  readonly text: string
  readonly document: BuilderState['document']
  readonly setText: (edit: (text: string) => string) => void
  readonly problems: readonly ProblemView[]
  readonly warnings: readonly ProblemView[]
  readonly isNew: boolean
  readonly signed: ReadonlySet<string>
}

export function useForm({ text, document, setText, problems, warnings, isNew, signed }: FormParts) {
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
