// What the parts of the builder share: the document, how it is changed, and what is wrong with it and where.
import { createContext, type ReactNode, useContext } from 'react'
import type { PartyRow } from '../../../src/http/console/wire/parties.ts'
import type { SeriesRow } from '../../../src/http/console/wire/series.ts'
import type { ProblemView } from '../../../src/http/console/wire/session.ts'
import type { OpenDocument, Path, Plain } from './document/document.ts'
import type { ShareUnit } from './document/weights.ts'

export interface BuilderState {
  readonly text: string
  /** The text as it was read; of a long one a moment later. */
  readonly document: OpenDocument
  /** Puts a value at a place; null takes away what is there. */
  readonly set: (path: Path, value: Plain | null) => void
  /** Any other change of the text. */
  readonly change: (edit: (text: string) => string) => void
  readonly problems: readonly ProblemView[]
  readonly warnings: readonly ProblemView[]
  readonly series: SeriesShelf
  readonly parties: PartyShelf
  readonly unit: ShareUnit
  readonly setUnit: (unit: ShareUnit) => void
  /** Lines of the form that stand open, by their place. */
  readonly isOpen: (place: string) => boolean
  readonly toggle: (place: string) => void
  readonly isNew: boolean
  /** Periods that both parties signed: they stay as they are, whatever is saved. */
  readonly signed: ReadonlySet<string>
}

/** The series of the workspace. */
export interface SeriesShelf {
  readonly rows: readonly SeriesRow[]
  /** By `PROVIDER/code` or id. */
  readonly find: (reference: string) => SeriesRow | undefined
  readonly isLoaded: boolean
}

/** The parties of the workspace. */
export interface PartyShelf {
  readonly rows: readonly PartyRow[]
  /** The name of the one with a slug; the slug itself where there is none. */
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

/** For fields that choose a series, inside the builder or before it. */
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
