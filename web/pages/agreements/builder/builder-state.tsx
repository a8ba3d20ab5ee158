// State that the parts of the builder share: the document, the functions that change it, and its problems by place.
import { createContext, type ReactNode, useContext } from 'react'
import type { PartyRow } from '../../../../src/views/shapes/parties.ts'
import type { SeriesRow } from '../../../../src/views/shapes/series.ts'
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import type { OpenDocument, Path, Plain } from './document/document.ts'
import type { ShareUnit } from './document/weights.ts'

export interface BuilderState {
  readonly text: string
  /** The parsed text; for a long text it lags a moment behind. */
  readonly document: OpenDocument
  /** Sets the value at a path; null removes it. */
  readonly set: (path: Path, value: Plain | null) => void
  /** Changes the text in any other way. */
  readonly change: (edit: (text: string) => string) => void
  readonly problems: readonly ProblemView[]
  readonly warnings: readonly ProblemView[]
  /** Name of a place of the document in the view: its key, or in the form its label. */
  readonly placeName: (path: string) => string
  readonly series: SeriesShelf
  readonly parties: PartyShelf
  readonly unit: ShareUnit
  readonly setUnit: (unit: ShareUnit) => void
  /** Whether a line of the form is open, by its place. */
  readonly isOpen: (place: string) => boolean
  readonly toggle: (place: string) => void
  readonly isNew: boolean
  /** Periods that both parties signed: they do not change, whatever is saved. */
  readonly signed: ReadonlySet<string>
}

export interface SeriesShelf {
  readonly rows: readonly SeriesRow[]
  /** Finds a series by `PROVIDER/code` or id. */
  readonly find: (reference: string) => SeriesRow | undefined
  readonly isLoaded: boolean
}

export interface PartyShelf {
  readonly rows: readonly PartyRow[]
  /** The name of the party with this slug; the slug itself if there is no such party. */
  readonly nameOf: (slug: string) => string
}

const Shared = createContext<BuilderState | null>(null)

export function BuilderProvider({ value, children }: { readonly value: BuilderState; readonly children: ReactNode }) {
  return (
    <SeriesProvider series={value.series}>
      <Shared.Provider value={value}>{children}</Shared.Provider>
    </SeriesProvider>
  )
}

const Shelf = createContext<SeriesShelf | null>(null)

/** Series for fields that choose one, in the builder or before it opens. */
export function SeriesProvider({ series, children }: { readonly series: SeriesShelf; readonly children: ReactNode }) {
  return <Shelf.Provider value={series}>{children}</Shelf.Provider>
}

export function useSeriesShelf(): SeriesShelf {
  const shelf = useContext(Shelf)
  if (shelf === null) throw new Error('a field for series is used without any')
  return shelf
}

export function useBuilder(): BuilderState {
  const state = useContext(Shared)
  if (state === null) throw new Error('a part of the builder is used outside it')
  return state
}
