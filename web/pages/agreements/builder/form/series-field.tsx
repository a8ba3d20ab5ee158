// Picks a series: by name or code among those of the workspace, or by following a new one on the spot. Typed text is used as
// it is, so a reference can also be pasted.
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { parseReference } from '../../../../../src/core/series/series.ts'
import type { SeriesRow } from '../../../../../src/views/shapes/series.ts'
import { ApiFailure, api } from '../../../../api.ts'
import { formatReference } from '../../../../components/words/provider-words.ts'
import { formatFigure, formatFrequency } from '../../../../components/words/words.ts'
import { useWorkspace } from '../../../../session.ts'
import classes from '../builder.module.css'
import { useBuilder, useSeriesShelf } from '../builder-state.tsx'
import { type Path, textAt } from '../document/document.ts'
import { useNotes } from './fields.tsx'
import { matchSeries, referenceOf } from './series-search.ts'

const searchDelayMs = 250
const shortestSearch = 3

export function SeriesField({ path, label }: { readonly path: Path; readonly label: string }) {
  const { document, set } = useBuilder()
  const written = textAt(document.root, path)
  const notes = useNotes(path, <SeriesWords reference={written} />)
  return (
    <SeriesBox
      {...notes}
      label={label}
      written={written}
      onReference={reference => set(path, reference === '' ? null : reference)}
    />
  )
}

interface SeriesBoxProps {
  readonly id: string
  readonly label: string
  readonly error?: ReactNode
  readonly description?: ReactNode
  readonly written: string
  readonly onReference: (reference: string) => void
  readonly isBegun?: boolean
}

/** Searches and picks; `isBegun` takes the focus at once. */
export function SeriesBox({ id, label, error, description, written, onReference, isBegun = false }: SeriesBoxProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const follow = useFollow(reference => commit(reference))
  const commit = (reference: string) => {
    setTyped(null)
    onReference(reference)
    combobox.closeDropdown()
  }
  const submit = (option: string) => {
    if (option.startsWith('follow ')) void follow.start(option.slice('follow '.length))
    else commit(option)
  }
  return (
    <div className={classes.seriesField}>
      <Combobox store={combobox} onOptionSubmit={submit} withinPortal transitionProps={{ duration: 0 }}>
        <Combobox.Target>
          <TextInput
            id={id}
            description={description}
            error={follow.trouble ?? error}
            autoFocus={isBegun}
            size="xs"
            label={label}
            placeholder="Search by name or code"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            classNames={{ input: typed === null ? (classes.mono ?? '') : '' }}
            rightSection={follow.isRunning ? <Loader size={14} /> : null}
            value={typed ?? written}
            onChange={event => {
              setTyped(event.currentTarget.value)
              combobox.openDropdown()
              combobox.updateSelectedOptionIndex()
            }}
            onFocus={event => {
              event.currentTarget.select()
              combobox.openDropdown()
            }}
            onKeyDown={event => {
              const isFree = combobox.getSelectedOptionIndex() === -1
              if (event.key === 'Enter' && isFree && typed !== null) commit(typed.trim())
              if (event.key === 'Escape') setTyped(null)
            }}
            onBlur={() => {
              combobox.closeDropdown()
              if (typed !== null && typed !== written) commit(typed.trim())
              setTyped(null)
            }}
            spellCheck={false}
            autoComplete="off"
          />
        </Combobox.Target>
        <Combobox.Dropdown className={classes.seriesDrop}>
          {combobox.dropdownOpened && <SeriesOptions wanted={typed ?? ''} />}
        </Combobox.Dropdown>
      </Combobox>
      {typed === null && <ComeBy reference={written} follow={follow} />}
    </div>
  )
}

/** Way to add a series that is named but not in the workspace. */
function ComeBy({ reference, follow }: { readonly reference: string; readonly follow: ReturnType<typeof useFollow> }) {
  const series = useSeriesShelf()
  const { slug } = useWorkspace()
  if (!series.isLoaded || reference === '' || series.find(reference) !== undefined) return null
  const provider = parseReference(reference)?.provider
  if (provider === undefined) return null
  if (provider === 'CUSTOM')
    return (
      <a href={`/w/${slug}/series/upload`} target="_blank" rel="noreferrer" className={classes.comeBy}>
        Upload {reference} from a file, in a new tab
      </a>
    )
  return (
    <button
      type="button"
      className={`${classes.textButton} ${classes.comeBy}`}
      disabled={follow.isRunning}
      onClick={() => void follow.start(reference)}
    >
      {follow.isRunning ? `Asking ${provider} for it` : `Follow ${reference} in this workspace`}
    </button>
  )
}

/** Name, frequency and last value of the picked series. */
export function SeriesWords({ reference }: { readonly reference: string }) {
  const series = useSeriesShelf()
  const row = series.find(reference)
  if (row === undefined)
    return reference !== '' && series.isLoaded ? <span>Not among the series of this workspace.</span> : null
  const last = row.last === null ? 'no values yet' : `${formatFigure(row.last.value)} in ${row.last.period}`
  return (
    <span className="figures">
      <span className={classes.wraps}>
        {row.name}; {formatFrequency(row.frequency)}, {row.unit}; {last}
      </span>
    </span>
  )
}

function SeriesOptions({ wanted }: { readonly wanted: string }) {
  const series = useSeriesShelf()
  const held = matchSeries(series.rows, wanted)
  const others = useOthers(wanted)
  return (
    <Combobox.Options mah={360} className={classes.seriesOptions}>
      {held.map(row => (
        <Combobox.Option key={row.id} value={referenceOf(row)}>
          <SeriesOption row={row} />
        </Combobox.Option>
      ))}
      {others.length > 0 && (
        <Combobox.Group label="Not in this workspace yet: choosing one follows it">
          {others.map(({ provider, code, name }) => (
            <Combobox.Option key={`${provider}/${code}`} value={`follow ${provider}/${code}`}>
              <span className={classes.optionName}>{name}</span>
              <span className={classes.optionCode}>
                {provider}/{code}
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      )}
      {held.length + others.length === 0 && (
        <Combobox.Empty>
          {series.rows.length === 0
            ? 'This workspace has no series yet.'
            : 'No series matches. Press Enter to use the text as it is.'}
        </Combobox.Empty>
      )}
    </Combobox.Options>
  )
}

function SeriesOption({ row }: { readonly row: SeriesRow }) {
  return (
    <span className={classes.option}>
      <span>
        <span className={classes.optionName}>{row.name}</span>
        <span className={classes.optionCode}>
          {formatReference(row)} · {formatFrequency(row.frequency)}
        </span>
      </span>
      {row.last !== null && (
        <span className={classes.optionLast}>
          <span className="figures">{formatFigure(row.last.value)}</span>
          <span className={classes.optionCode}>{row.last.period}</span>
        </span>
      )}
    </span>
  )
}

/** Series that providers offer beyond the workspace's own, once enough is typed. */
function useOthers(wanted: string) {
  const workspace = useWorkspace()
  const [asked] = useDebouncedValue(wanted.trim(), searchDelayMs)
  const found = useQuery({
    queryKey: ['w', workspace.slug, 'series-search', asked],
    queryFn: ({ signal }) => api.get(workspace.path('/series/search', { q: asked }), signal),
    enabled: asked.length >= shortestSearch,
    staleTime: 60_000,
    retry: false,
  })
  if (asked.length < shortestSearch) return []
  return (found.data?.results ?? []).filter(({ id }) => id === null).slice(0, 12)
}

function useFollow(onDone: (reference: string) => void) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const latest = useRef(onDone)
  latest.current = onDone
  const [isRunning, setRunning] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const start = async (reference: string) => {
    const slash = reference.indexOf('/')
    setRunning(true)
    setTrouble(null)
    try {
      const request = { provider: reference.slice(0, slash), code: reference.slice(slash + 1) }
      await api.post(workspace.path('/series/follow'), request)
      await Promise.all(
        ['series', 'series-search'].map(name => queries.invalidateQueries({ queryKey: ['w', workspace.slug, name] })),
      )
      // After the new list is rendered, so that the caller finds the series in it.
      setTimeout(() => latest.current(reference))
    } catch (error) {
      setTrouble(error instanceof ApiFailure ? error.message : `${reference} could not be followed; try again.`)
    } finally {
      setRunning(false)
    }
  }
  return { start, isRunning, trouble }
}
