// The workspace itself: what it is called, what its keys may do, and how much of its limits it uses.
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { writeCount } from '../../../src/core/words.ts'
import type { QuotaView, WorkspacePage } from '../../../src/http/console/wire/settings.ts'
import { api } from '../../api.ts'
import { State } from '../../components/figures.tsx'
import { limitNames } from '../../components/limit-names.ts'
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
        <dd>
          {countOf(data.rateLimit, 'request')} a minute for each API key, {writeCount(data.workspaceRateLimit)} for all
          of them together
        </dd>
        <dt>Since</dt>
        <dd>{writeDay(data.createdAt)}</dd>
      </dl>
      <Quotas quotas={data.quotas} />
      {canManage && <Rename name={data.name} />}
    </>
  )
}

function Quotas({ quotas }: { readonly quotas: readonly QuotaView[] }) {
  return (
    <table className={classes.quotas}>
      <caption>What this workspace may have at most. An operator of the installation can raise it.</caption>
      <thead>
        <tr>
          <th scope="col">Of</th>
          <th scope="col">In use</th>
          <th scope="col">At most</th>
        </tr>
      </thead>
      <tbody>
        {quotas.map(({ kind, most, used }) => (
          <tr key={kind}>
            <th scope="row">{limitNames[kind]}</th>
            <td className="mono">{used === null ? '' : writeCount(used)}</td>
            <td className="mono">
              {writeCount(most)}
              {used !== null && used >= most && <State kind="trouble">full</State>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
