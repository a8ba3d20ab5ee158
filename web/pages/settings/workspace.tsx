// The workspace itself: what it is called, and what its keys may do.
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WorkspacePage } from '../../../src/http/console/wire/settings.ts'
import { api } from '../../api.ts'
import { State } from '../../components/figures.tsx'
import { LoadingRows, Trouble } from '../../components/page.tsx'
import { countOf, writeDay } from '../../components/words.ts'
import { sessionQuery, useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

export function WorkspaceSettings() {
  const { slug, path, canManage } = useWorkspace()
  const { data, error, refetch } = useQuery({
    queryKey: ['w', slug, 'workspace'],
    queryFn: ({ signal }) => api.get<WorkspacePage>(path('/workspace'), signal),
  })
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  return (
    <>
      <dl className={classes.facts}>
        <dt>Name</dt>
        <dd>{data.name}</dd>
        <dt>Short name</dt>
        <dd className="mono">{data.slug}</dd>
        <dt>Identifier</dt>
        <dd className="mono">{data.id}</dd>
        <dt>Requests</dt>
        <dd>{countOf(data.rateLimit, 'request')} a minute for each API key</dd>
        <dt>Since</dt>
        <dd>{writeDay(data.createdAt)}</dd>
      </dl>
      {canManage && <Rename name={data.name} />}
    </>
  )
}

function Rename({ name: known }: { readonly name: string }) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const [name, setName] = useState(known)
  const [error, setError] = useState<unknown>(null)
  const [state, setState] = useState<'idle' | 'asking' | 'saved'>('idle')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState('asking')
    setError(null)
    try {
      await api.patch(path('/workspace'), { name })
      await queries.invalidateQueries({ queryKey: ['w', slug] })
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      setState('saved')
    } catch (failure) {
      setError(failure)
      setState('idle')
    }
  }
  return (
    <form onSubmit={event => void submit(event)} className={classes.form}>
      <TextInput
        label="Another name"
        required
        maxLength={200}
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setState('idle')
        }}
      />
      {error !== null && <Trouble error={error} />}
      <div className={classes.line}>
        <Button
          type="submit"
          variant="default"
          loading={state === 'asking'}
          disabled={name.trim() === '' || name === known}
        >
          Rename
        </Button>
        <span aria-live="polite">{state === 'saved' && <State kind="good">renamed</State>}</span>
      </div>
    </form>
  )
}
