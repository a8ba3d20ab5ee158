// Search everywhere, from the keyboard: agreements, periods, suppliers, invoices, items, series, people and actions.
import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { findWords } from '../../src/core/text/find-words.ts'
import type { SearchHits } from '../../src/views/shapes/agreements.ts'
import { api } from '../api.ts'
import { places, settingsPlaces } from '../components/page/places.ts'
import { formatReference } from '../components/words/provider-words.ts'
import { countOf } from '../components/words/words.ts'
import { useWorkspace, type Workspace } from '../session.ts'
import classes from './palette.module.css'

interface Hit {
  readonly key: string
  readonly kind: string
  readonly label: string
  readonly detail: string
  /** A path on this site. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

const mostHits = 14
const mostOfEach = 6
/** The request is sent after this pause in typing. */
const askAfterMs = 120
const nothing: SearchHits = {
  agreements: [],
  periods: [],
  series: [],
  suppliers: [],
  people: [],
  invoices: [],
  items: [],
}

export function Palette({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      // The title is only for screen readers.
      title="Search"
      classNames={{ header: 'unseen' }}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12vh"
      centered={false}
    >
      {isOpen && <Search close={close} />}
    </Modal>
  )
}

function Search({ close }: { readonly close: () => void }) {
  const workspace = useWorkspace()
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { slug, path } = workspace
  const wanted = text.trim()
  const [asked] = useDebouncedValue(wanted, askAfterMs)
  const { data: found, isPlaceholderData } = useQuery({
    queryKey: ['w', slug, 'find', asked],
    queryFn: ({ signal }) => api.get(path('/find', { q: asked }), signal),
    placeholderData: keepPreviousData,
  })
  const hits = useMemo(() => findHits(text, workspace, found ?? nothing), [text, workspace, found])
  const isCurrent = asked === wanted && !isPlaceholderData
  /** Enter was pressed before the server answered. */
  const [goesWhenFound, setGoesWhenFound] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text selects the first hit again.
  useEffect(() => {
    setChosen(0)
    setGoesWhenFound(false)
  }, [text])
  const go = (hit: Hit | undefined) => {
    if (hit === undefined) return
    close()
    void navigate({ to: hit.to, search: (hit.search ?? {}) as never })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the answer only.
  useEffect(() => {
    if (goesWhenFound && isCurrent) go(hits[chosen])
  }, [goesWhenFound, isCurrent])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, hits.length - 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') hits[chosen] === undefined ? setGoesWhenFound(true) : go(hits[chosen])
    else return
    event.preventDefault()
  }
  return (
    <div>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        classNames={{ input: classes.input ?? '' }}
        placeholder="An agreement, supplier, invoice, item, person, index, or steel 2024-Q2"
        aria-label="Search"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={hits[chosen] === undefined ? undefined : `${listId}-${chosen}`}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Search results" className={classes.list}>
        {hits.length === 0 && <p className={classes.none}>No name, number or code contains these words.</p>}
        {hits.map((hit, i) => (
          <div
            key={hit.key}
            id={`${listId}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            className={classes.hit}
            onMouseMove={() => setChosen(i)}
            onClick={() => go(hit)}
            onKeyDown={onKeyDown}
          >
            <span className={classes.kind}>{hit.kind}</span>
            <span className={classes.label}>{hit.label}</span>
            <span className={classes.detail}>{hit.detail}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

function findHits(text: string, { slug, role, canEdit, canManage }: Workspace, found: SearchHits): Hit[] {
  const { series } = found
  const { names } = findWords(text)
  const fits = (...parts: readonly string[]) => {
    const all = parts.join(' ').toLowerCase()
    return names.every(word => all.includes(word))
  }
  const at = (rest: string) => `/w/${slug}${rest}`
  const periods = found.periods
    .filter(({ name, slug: own }) => fits(name, own))
    .map(({ name, slug: own, period }) => ({
      key: `period ${own}`,
      kind: 'Period',
      label: `${name}, ${period}`,
      detail: own,
      to: at(`/agreements/${own}/periods/${period}`),
    }))
  const agreements = found.agreements
    .filter(({ name, slug: own }) => fits(name, own))
    .map(({ name, slug: own }) => ({
      key: `agreement ${own}`,
      kind: 'Agreement',
      label: name,
      detail: own,
      to: at(`/agreements/${own}`),
    }))
  const indices = series
    .filter(({ name, provider, code }) => fits(name, provider, code))
    .map(({ id, name, provider, code, isFollowed }) => ({
      key: id,
      kind: 'Series',
      label: name,
      detail: formatReference({ provider, code, isFollowed }),
      to: at(`/series/${id}`),
    }))
  const actions = [
    ...places.map(({ to, label }) => ({ label, to: to.slice('/w/$ws'.length), isAllowed: true })),
    { label: 'New agreement', to: '/agreements/new', isAllowed: canEdit },
    { label: 'Follow a series', to: '/series/follow', isAllowed: canEdit },
    { label: 'Upload figures', to: '/series/upload', isAllowed: canEdit },
    ...settingsPlaces.map(({ id, label, isFor }) => ({
      label: `Settings: ${label}`,
      to: `/settings/${id}`,
      isAllowed: isFor({ role, canEdit, canManage }),
    })),
  ]
    .filter(({ label, isAllowed }) => isAllowed && fits(label))
    .map(({ label, to }) => ({ key: `go ${to}`, kind: 'Go to', label, detail: '', to: at(to) }))
  if (text.trim() === '') return [actions, agreements, indices].flatMap(list => list.slice(0, mostOfEach))
  const { suppliers, invoices, items, people } = foundBesides(found, { slug, role, canManage })
  const lists = [periods, agreements, suppliers, invoices, items, indices, people, actions]
  return lists.flatMap(list => list.slice(0, mostOfEach)).slice(0, mostHits)
}

/** Hits of the server that are more than a name on the page. */
function foundBesides(
  { suppliers, invoices, items, people }: SearchHits,
  { slug, role, canManage }: Pick<Workspace, 'slug' | 'role' | 'canManage'>,
) {
  const at = (rest: string) => `/w/${slug}${rest}`
  const pageOf = (email: string): Pick<Hit, 'to' | 'search'> => {
    if (role === 'supplier') return { to: at('/settings/company') }
    return canManage ? { to: at('/settings/people') } : { to: at('/settings/activity'), search: { who: email } }
  }
  return {
    suppliers: suppliers.map(({ value, label, agreements }) => ({
      key: `supplier ${value}`,
      kind: 'Supplier',
      label,
      detail: countOf(agreements, 'agreement'),
      to: at('/agreements'),
      search: { supplier: value },
    })),
    invoices: invoices.map(({ number, supplier, agreement }) => ({
      key: `invoice ${supplier} ${number} ${agreement.slug}`,
      kind: 'Invoice',
      label: number,
      detail: `${supplier}, ${agreement.name}`,
      to: at(`/agreements/${agreement.slug}/ledger`),
    })),
    items: items.map(({ item, agreement }) => ({
      key: `item ${item} ${agreement.slug}`,
      kind: 'Item',
      label: item,
      detail: agreement.name,
      to: at(`/agreements/${agreement.slug}`),
    })),
    people: people.map(({ name, email, company }) => ({
      key: `person ${email}`,
      kind: 'Person',
      label: name === '' ? email : name,
      detail: company === null ? email : `${email}, ${company}`,
      ...pageOf(email),
    })),
  }
}
