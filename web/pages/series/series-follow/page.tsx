// Follows a new series: found by search or entered by its code, and fetched while the person waits.
import { Anchor, Button, Loader, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { FollowRequest } from '../../../../src/views/calls/series-calls.ts'
import type { ProviderRow } from '../../../../src/views/shapes/series.ts'
import { api } from '../../../api.ts'
import { State } from '../../../components/figures/figures.tsx'
import { type ChangeAddress, useAddress } from '../../../components/page/address.ts'
import { IconSearch } from '../../../components/page/icons.tsx'
import { Empty, LoadingRows, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { formatProvider } from '../../../components/words/provider-words.ts'
import { useProviderNames, useRead, useWorkspace } from '../../../session.ts'
import classes from './follow.module.css'
import { Results } from './results.tsx'
import { useFollow, useSeconds } from './use-follow.ts'

export function SeriesFollowPage() {
  const { slug, canEdit } = useWorkspace()
  return (
    <>
      <PageHead
        title="Follow a series"
        crumbs={[{ label: 'Series', to: '/w/$ws/series', params: { ws: slug } }]}
        under="A series you follow is checked regularly; every value and every revision is kept with its day."
      />
      {canEdit ? (
        <Following />
      ) : (
        <Empty title="Your role cannot follow series">
          Owners and editors of the workspace can. You see everything they follow.
        </Empty>
      )}
    </>
  )
}

function Following() {
  const [address, change] = useAddress()
  const { follow, asking, failed, error, forget } = useFollow()
  const providers = useRead('/providers').data ?? []
  const ask = (request: FollowRequest) => {
    forget()
    follow(request)
  }
  return (
    <>
      <Asking asking={asking} />
      {failed != null && (
        <div className={classes.trouble}>
          <Trouble error={error} retry={() => ask(failed)} />
          <KeyWords provider={providers.find(each => each.provider === failed.provider)} />
        </div>
      )}
      <Search
        {...{ providers, change, asking }}
        text={address.q ?? ''}
        provider={address.provider ?? null}
        follow={ask}
      />
      <ByCode providers={providers} asking={asking} follow={ask} />
    </>
  )
}

function Asking({ asking }: { readonly asking: FollowRequest | null }) {
  const seconds = useSeconds(asking !== null)
  const names = useProviderNames()
  return (
    <div aria-live="polite">
      {asking !== null && (
        <p className={classes.asking}>
          <Loader size={16} />
          <span>
            Asking {formatProvider(asking.provider, names)} for <span className="mono">{asking.code}</span> and its
            whole history{seconds > 2 && <span className="soft figures">, {seconds} s</span>}. The series opens when it
            has arrived.
          </span>
        </p>
      )}
    </div>
  )
}

interface SearchProps {
  readonly providers: readonly ProviderRow[]
  readonly text: string
  readonly provider: string | null
  readonly change: ChangeAddress
  readonly asking: FollowRequest | null
  readonly follow: (request: FollowRequest) => void
}

const leastText = 2
/** The built-in list answers at once; a provider is asked once typing has stopped. */
const restMs = { builtIn: 150, provider: 600 }

function Search({ providers, text, provider, change, asking, follow }: SearchProps) {
  const { slug, path } = useWorkspace()
  const [settled] = useDebouncedValue(text.trim(), provider === null ? restMs.builtIn : restMs.provider)
  const search = useQuery({
    queryKey: ['w', slug, 'series-search', provider, settled],
    queryFn: ({ signal }) => api.get(path('/series/search', { q: settled, provider: provider ?? undefined }), signal),
    enabled: settled.length >= leastText,
    staleTime: 60_000,
  })
  const chosen = providers.find(each => each.provider === provider)
  return (
    <Section title="Search">
      <div className={classes.form}>
        <TextInput
          className={classes.text ?? ''}
          type="search"
          label="Words from the name, or the code"
          placeholder="steel, consumer prices, diesel"
          leftSection={<IconSearch />}
          value={text}
          onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
        />
        <Select
          className={classes.provider ?? ''}
          label="Source"
          placeholder="Built-in list and followed series"
          data={providers.map(each => ({ value: each.provider, label: each.name }))}
          value={provider}
          onChange={value => change({ provider: value ?? undefined })}
          searchable
          clearable
        />
      </div>
      <KeyWords provider={chosen} />
      {settled.length < leastText && <Beginnings change={change} />}
      <div className={classes.results} aria-live="polite" aria-busy={search.isFetching}>
        {search.isFetching && provider !== null && (
          <p className={classes.asking}>
            <Loader size={16} /> Asking {chosen?.name ?? provider} …
          </p>
        )}
        {search.data === undefined && search.isFetching && provider === null && <LoadingRows rows={4} />}
        {search.isError && <Trouble error={search.error} retry={() => void search.refetch()} />}
        {search.data !== undefined && settled.length >= leastText && (
          <Results
            found={search.data}
            text={settled}
            {...{ provider, asking, follow }}
            isKeyLacking={chosen !== undefined && lacksKey(chosen)}
          />
        )}
      </div>
    </Section>
  )
}

const beginnings = ['consumer prices', 'steel', 'diesel', 'electric power', 'wages', 'exchange rate']

function Beginnings({ change }: { readonly change: ChangeAddress }) {
  return (
    <p className={classes.begin}>
      <span className="soft">For example</span>
      {beginnings.map(words => (
        <Anchor key={words} component="button" type="button" inherit onClick={() => change({ q: words })}>
          {words}
        </Anchor>
      ))}
    </p>
  )
}

function lacksKey({ key, isKeySet }: ProviderRow): boolean {
  return key === 'required' && !isKeySet
}

/** Requirement of a provider before it answers, and the variable that sets it. */
function KeyWords({ provider }: { readonly provider: ProviderRow | undefined }) {
  if (provider === undefined || provider.key === 'none' || provider.isKeySet) return null
  const { name, home, keyVariable } = provider
  const link = (
    <a href={home} target="_blank" rel="noreferrer">
      {name}
    </a>
  )
  if (lacksKey(provider))
    return (
      <p className={classes.say}>
        <State kind="waiting">{name} answers only with a key, and none is set.</State> Get one from {link}, set{' '}
        <code className="mono">{keyVariable}</code> where the server runs, and start it again.
      </p>
    )
  return (
    <p className={`soft ${classes.say}`}>
      {name} answers without a key, but allows more with one: <code className="mono">{keyVariable}</code>.
    </p>
  )
}

interface ByCodeProps {
  readonly providers: readonly ProviderRow[]
  readonly asking: FollowRequest | null
  readonly follow: (request: FollowRequest) => void
}

function ByCode({ providers, asking, follow }: ByCodeProps) {
  const [provider, setProvider] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const chosen = providers.find(each => each.provider === provider)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (provider !== null && code.trim() !== '') follow({ provider, code: code.trim() })
  }
  return (
    <Section title="Follow by code">
      <form className={classes.form} onSubmit={submit}>
        <Select
          className={classes.provider ?? ''}
          label="Provider"
          placeholder="Choose one"
          data={providers.map(each => ({ value: each.provider, label: each.name }))}
          value={provider}
          onChange={setProvider}
          searchable
        />
        <TextInput
          className={classes.text ?? ''}
          label="Code, as the provider writes it"
          placeholder="CUUR0000SA0"
          classNames={{ input: 'mono' }}
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
        />
        <Button type="submit" disabled={provider === null || code.trim() === '' || asking !== null}>
          Follow
        </Button>
      </form>
      <KeyWords provider={chosen} />
    </Section>
  )
}
