// Search everywhere, from the keyboard: series, agreements, periods and actions.
import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import type { Found } from '../../src/views/shapes/agreements.ts'
import { api } from '../api.ts'
import { writeReference } from '../components/words/provider-words.ts'
import { useWorkspace, type Workspace } from '../session.ts'
import classes from './palette.module.css'

interface Hit {
  readonly key: string
  readonly kind: string
  readonly label: string
  readonly detail: string
  /** A path on this site. */
  readonly to: string
}

const mostHits = 12
/** The request is sent after this pause in typing. */
const askAfterMs = 120
const nothing: Found = { formulas: [], series: [] }

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
  const names = wordsOf(text).names.join(' ')
  const [asked] = useDebouncedValue(names, askAfterMs)
  const { data: found, isPlaceholderData } = useQuery({
    queryKey: ['w', slug, 'find', asked],
    queryFn: ({ signal }) => api.get(path('/find', { q: asked }), signal),
    placeholderData: keepPreviousData,
  })
  const hits = useMemo(() => findHits(text, workspace, found ?? nothing), [text, workspace, found])
  const isCurrent = asked === names && !isPlaceholderData
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
    void navigate({ to: hit.to })
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
        placeholder="A series, an agreement, a period such as steel 2024-Q2"
        aria-label="Search"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={hits[chosen] === undefined ? undefined : `${listId}-${chosen}`}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="What was found" className={classes.list}>
        {hits.length === 0 && <p className={classes.none}>Nothing has that in its name or code.</p>}
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

/** Splits what was typed into a period, if one of the words is one, and words of names. A half-typed period counts as neither. */
function wordsOf(text: string): { readonly period: string | undefined; readonly names: readonly string[] } {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const period = words.find(word => /^\d{4}(-(q[1-4]|h[12]|\d{2}))?$/.test(word))
  return { period, names: words.filter(word => word !== period && !/^\d{4}-[qh]?$/.test(word)) }
}

function findHits(text: string, { slug, canEdit, canManage }: Workspace, { series, formulas }: Found): Hit[] {
  const { period, names } = wordsOf(text)
  const fits = (...parts: readonly string[]) => {
    const all = parts.join(' ').toLowerCase()
    return names.every(word => all.includes(word))
  }
  const at = (rest: string) => `/w/${slug}${rest}`
  const periods = formulas
    .filter(({ name, slug: own }) => period !== undefined && fits(name, own))
    .map(({ name, slug: own }) => ({
      key: `period ${own}`,
      kind: 'Period',
      label: `${name}, ${period!.toUpperCase()}`,
      detail: own,
      to: at(`/agreements/${own}/periods/${period!.toUpperCase()}`),
    }))
  const found = formulas
    .filter(({ name, slug: own }) => fits(name, own))
    .map(({ name, slug: own }) => ({
      key: `formula ${own}`,
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
      detail: writeReference({ provider, code, isFollowed }),
      to: at(`/series/${id}`),
    }))
  const actions = [
    { label: 'Overview', to: '', isAllowed: true },
    { label: 'Sign-offs', to: '/sign-offs', isAllowed: true },
    { label: 'New agreement', to: '/agreements/new', isAllowed: canEdit },
    { label: 'Follow a series', to: '/series/follow', isAllowed: canEdit },
    { label: 'Upload figures', to: '/series/upload', isAllowed: canEdit },
    { label: 'Bring data in', to: '/bring-in', isAllowed: true },
    { label: 'Invoices', to: '/invoices', isAllowed: true },
    { label: 'API keys', to: '/settings/keys', isAllowed: canEdit },
    { label: 'People and roles', to: '/settings/people', isAllowed: canManage },
    { label: 'Activity', to: '/settings/activity', isAllowed: true },
  ]
    .filter(({ label, isAllowed }) => isAllowed && fits(label))
    .map(({ label, to }) => ({ key: `go ${to}`, kind: 'Go to', label, detail: '', to: at(to) }))
  const lists = text.trim() === '' ? [actions, found, indices] : [periods, found, indices, actions]
  return lists.flatMap(list => list.slice(0, 6)).slice(0, mostHits)
}
