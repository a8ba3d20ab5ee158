// The dialog that proposes another series in the place of one: for one agreement, or offered to all that read it. The text to
// sign is shown before it is proposed: the coefficient, how closely the series agree, and the effect on the next dates.
import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Direction, directions } from '../../../src/core/index-changes/index-event.ts'
import { type SpliceMethod, spliceMethods } from '../../../src/core/index-changes/splice-schema.ts'
import type { SpliceWanted } from '../../../src/views/calls/index-change-calls.ts'
import type {
  IndexFact,
  SpliceOffer,
  SpliceOfferPreview,
  SplicePreview,
  Successors,
} from '../../../src/views/shapes/index-changes.ts'
import { api } from '../../api.ts'
import { useRead, useWorkspace } from '../../session.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { useRequest } from '../dialog/use-request.ts'
import { Facts } from '../page/facts.tsx'
import { TextLink } from '../page/links.tsx'
import { LoadingRows, Trouble } from '../page/page.tsx'
import { DataTable } from '../table/data-table.tsx'
import { useNarrow } from '../table/use-narrow.ts'
import { textBounds } from '../words/text-bounds.ts'
import { asSentence, countOf } from '../words/words.ts'
import { EffectTable } from './effect-table.tsx'
import classes from './index-changes.module.css'
import { successorsQuery } from './queries.ts'
import { formatExact, methodWords } from './words.ts'

interface ProposeSpliceProps {
  readonly seriesId: string
  /** The agreement that is chosen first; else all, where that is possible. */
  readonly agreement?: string
  readonly close: () => void
}

export function ProposeSplice({ seriesId, agreement, close }: ProposeSpliceProps) {
  const workspace = useWorkspace()
  const isNarrow = useNarrow()
  const { data, error } = useQuery(successorsQuery(workspace, seriesId))
  const [offered, setOffered] = useState<SpliceOffer | null>(null)
  return (
    <Dialog onClose={close} title="Propose another series" size={820} fullScreen={isNarrow} closeOnClickOutside={false}>
      {offered !== null ? (
        <Offered offered={offered} close={close} />
      ) : data === undefined ? (
        error === null ? (
          <LoadingRows rows={4} />
        ) : (
          <Trouble error={error} />
        )
      ) : data.agreements.length === 0 ? (
        <p>No agreement in force whose terms you may change reads {data.series.name}.</p>
      ) : (
        <Form successors={data} agreement={agreement} close={close} offered={setOffered} />
      )}
    </Dialog>
  )
}

/** Choice of every agreement that reads it. */
const all = '*'

interface Wish {
  readonly successor: string
  readonly method: SpliceMethod
  readonly from: string
  readonly until: string
  readonly digits: string
  readonly direction: Direction
  readonly source: string
  readonly base: string
  readonly sentence: string
}

interface FormProps {
  readonly successors: Successors
  readonly agreement: string | undefined
  readonly close: () => void
  readonly offered: (offer: SpliceOffer) => void
}

function Form({ successors, agreement, close, offered }: FormProps) {
  const { slug: ws, path } = useWorkspace()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { series, facts, agreements, mayOffer } = successors
  const fact = facts.find(({ kind }) => kind !== 'CANCELLED') ?? null
  const [whose, setWhose] = useState(agreement ?? (mayOffer && agreements.length > 1 ? all : agreements[0]!.slug))
  const [wish, setWish] = useState<Wish>(() => firstWish(successors, fact))
  const [look, setLook] = useState<SpliceOfferPreview | null>(null)
  const preview = look?.preview ?? null
  const { error, isPending, ask } = useRequest()
  const change = (some: Partial<Wish>) => {
    setWish({ ...wish, ...some })
    setLook(null)
  }
  const proposeWords = whose === all ? `Offer to ${countOf(look?.count ?? 0, 'agreement')}` : 'Propose it'
  const wanted = wantedOf(series.reference, wish, fact)
  const lookAt = () =>
    ask(async () => {
      if (whose === all) setLook(await api.post(path('/splices/offer/preview'), wanted))
      else {
        const alone = await api.post(path('/agreements/:slug/splices/preview', { slug: whose }), wanted)
        setLook({ slug: null, preview: alone, count: 1, refused: [] })
      }
    })
  const propose = () =>
    ask(async () => {
      if (whose === all) offered(await api.post(path('/splices/offer'), wanted))
      else {
        const { id } = await api.post(path('/agreements/:slug/splices', { slug: whose }), wanted)
        close()
        await navigate({ to: '/w/$ws/index-changes/$id', params: { ws, id } })
      }
      await queries.invalidateQueries({ queryKey: ['w', ws] })
    })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void (preview === null ? lookAt() : propose())
      }}
    >
      <div className={classes.fields}>
        <p className={classes.whole}>
          Series to replace: <strong>{series.name}</strong> <span className="mono">{series.reference}</span>
        </p>
        <Whose
          successors={successors}
          value={whose}
          change={chosen => {
            setWhose(chosen)
            setLook(null)
          }}
        />
        <Successor successors={successors} fact={fact} value={wish.successor} change={change} />
        <Method wish={wish} change={change} />
        <Textarea
          className={classes.whole ?? ''}
          label="Reason"
          required
          autosize
          minRows={2}
          maxLength={textBounds.words}
          value={wish.sentence}
          onChange={event => change({ sentence: event.currentTarget.value })}
        />
      </div>
      {preview !== null && (
        <Preview preview={preview} whose={agreements.find(({ slug }) => slug === look?.slug)?.name ?? null} />
      )}
      {look !== null && <LeftOut refused={look.refused} />}
      {error !== null && <Trouble error={error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending} disabled={wish.successor === ''}>
          {preview === null ? 'Show the effect' : proposeWords}
        </Button>
      </div>
    </form>
  )
}

interface WhoseProps {
  readonly successors: Successors
  readonly value: string
  readonly change: (whose: string) => void
}

/** Choice between one agreement and an offer to all that read the index. */
function Whose({ successors: { agreements, mayOffer }, value, change }: WhoseProps) {
  const label = `All ${countOf(agreements.length, 'agreement')} that read the series, one proposal each`
  return (
    <Select
      className={classes.whole ?? ''}
      label="Agreements"
      data={[
        ...(mayOffer && agreements.length > 1 ? [{ value: all, label }] : []),
        ...agreements.map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
      searchable
      allowDeselect={false}
      value={value}
      onChange={chosen => change(chosen ?? value)}
    />
  )
}

function firstWish({ candidates }: Successors, fact: IndexFact | null): Wish {
  const named = fact?.successor ?? null
  const coefficient = fact?.coefficient ?? null
  return {
    successor: named !== null && named.id !== null ? named.reference : (candidates[0]?.series ?? ''),
    method: coefficient === null ? 'OVERLAP' : 'PUBLISHED',
    from: '',
    until: '',
    base: '',
    digits: coefficient?.digits ?? '',
    direction: coefficient?.direction ?? 'OLD_TO_NEW',
    source: fact?.source ?? '',
    sentence: fact?.sentence ?? '',
  }
}

/** Makes the request; the figures decide empty fields. */
function wantedOf(old: string, wish: Wish, fact: IndexFact | null): SpliceWanted {
  const { method, from, until } = wish
  const isFacts = fact !== null && fact.sentence === wish.sentence
  return {
    old,
    successor: wish.successor,
    method,
    ground: {
      kind: isFacts ? fact.ground : 'BY_HAND',
      sentence: wish.sentence,
      ...(isFacts && fact.id !== null ? { event: fact.id } : {}),
    },
    ...(method === 'OVERLAP' && from !== '' && until !== '' ? { window: { from, until } } : {}),
    ...(method === 'POINT' && from !== '' ? { point: from } : {}),
    ...(method === 'PUBLISHED'
      ? { published: { direction: wish.direction, digits: wish.digits, source: wish.source } }
      : {}),
    ...(method === 'RELEVEL' && wish.base !== '' ? { base: wish.base } : {}),
  }
}

interface ChangesWish {
  readonly change: (some: Partial<Wish>) => void
}

interface SuccessorProps extends ChangesWish {
  readonly successors: Successors
  readonly fact: IndexFact | null
  readonly value: string
}

function Successor({ successors: { candidates, notFollowed, series }, fact, value, change }: SuccessorProps) {
  const { data: read } = useRead('/series')
  const likely = new Map(candidates.map(each => [each.series, each]))
  const named = fact?.successor ?? null
  if (named !== null && named.id !== null && !likely.has(named.reference))
    likely.set(named.reference, { ...unknown, series: named.reference, name: named.name, why: 'named by the office' })
  const others = (read ?? [])
    .map(({ provider, code, name }) => ({ value: `${provider}/${code}`, label: `${name} (${provider}/${code})` }))
    .filter(each => each.value !== series.reference && !likely.has(each.value))
  const chosen = likely.get(value)
  return (
    <div className={classes.whole}>
      <Select
        label="New series"
        placeholder="Choose a series that is followed or uploaded here"
        searchable
        required
        data={[
          {
            group: 'Likely',
            items: [...likely.values()].map(each => ({ value: each.series, label: `${each.name} (${each.series})` })),
          },
          { group: 'All others', items: others },
        ].filter(({ items }) => items.length > 0)}
        value={value === '' ? null : value}
        onChange={next => change({ successor: next ?? '' })}
      />
      {chosen !== undefined && (
        <p className="soft">
          {asSentence(chosen.why)}
          {chosen.common !== null && ` Common periods ${chosen.common.replace('..', ' to ')}.`}
          {chosen.spreadPct !== null && ` Spread of the ratio ${chosen.spreadPct} %.`}
          {chosen.correlation !== null && ` Correlation of the changes ${chosen.correlation}.`}
        </p>
      )}
      {notFollowed.length > 0 && (
        <p className="soft">
          Not followed here yet: {notFollowed.map(each => `${each.name} (${each.series})`).join(', ')}.
        </p>
      )}
    </div>
  )
}

const unknown = { common: null, spreadPct: null, correlation: null, differencePct: null }

function Method({ wish, change }: ChangesWish & { readonly wish: Wish }) {
  const { method } = wish
  const field = (label: string, key: keyof Wish, more: { required?: boolean; placeholder?: string } = {}) => (
    <TextInput
      label={label}
      value={wish[key]}
      onChange={event => change({ [key]: event.currentTarget.value })}
      {...more}
    />
  )
  return (
    <>
      <Select
        className={classes.whole ?? ''}
        label="Method"
        description={methodWords[method].meaning}
        data={spliceMethods.map(value => ({ value, label: methodWords[value].name }))}
        allowDeselect={false}
        value={method}
        onChange={chosen => change({ method: (chosen as SpliceMethod | null) ?? method })}
      />
      {method === 'OVERLAP' && (
        <>
          {field('Window from', 'from', { placeholder: 'the last common periods' })}
          {field('Window until', 'until', { placeholder: 'up to the end of the old series' })}
        </>
      )}
      {method === 'POINT' && field('Period', 'from', { placeholder: 'the last common one' })}
      {method === 'RELEVEL' && field('New base: a period, or a number', 'base', { required: true })}
      {method === 'PUBLISHED' && (
        <>
          {field('Coefficient, as printed', 'digits', { required: true })}
          <Select
            label="Direction"
            data={directions.map(value => ({
              value,
              label: value === 'OLD_TO_NEW' ? 'from the old to the new level' : 'from the new to the old level',
            }))}
            allowDeselect={false}
            value={wish.direction}
            onChange={chosen => change({ direction: (chosen as Direction | null) ?? wish.direction })}
          />
          {field('Source of the coefficient', 'source', { required: true })}
        </>
      )}
    </>
  )
}

/** `whose`: the name of the agreement that is shown as an example; null where it is the only one. */
function Preview({
  preview: { body, warnings },
  whose,
}: {
  readonly preview: SplicePreview
  readonly whose: string | null
}) {
  const { coefficient, evidence, window, join, effectiveFrom } = body
  return (
    <section className={classes.preview} aria-label="Effect" aria-live="polite">
      {whose !== null && <p className="soft">Example: {whose}. Each agreement gets its own proposal.</p>}
      <Facts
        isSmall
        facts={[
          {
            label: 'Coefficient',
            value: coefficient === null ? 'a new base' : coefficient.written,
            note: coefficient === null ? '' : `exact ${formatExact(coefficient.exact, 12)}`,
          },
          {
            label: 'Window',
            value:
              window === null
                ? 'none'
                : window.from === window.until
                  ? window.from
                  : `${window.from} to ${window.until}`,
          },
          { label: 'Spread of the ratio', value: evidence.spreadPct === null ? '–' : `${evidence.spreadPct} %` },
          { label: 'Last period of the old series', value: join },
          { label: 'From', value: effectiveFrom },
        ]}
      />
      {warnings.length > 0 && (
        <ul className={classes.warnings}>
          {warnings.map(each => (
            <li key={each}>{asSentence(each)}</li>
          ))}
        </ul>
      )}
      <EffectTable effect={body.effect} isShort />
    </section>
  )
}

function Offered({
  offered: { proposed, refused },
  close,
}: {
  readonly offered: SpliceOffer
  readonly close: () => void
}) {
  return (
    <>
      <p role="status">
        {countOf(proposed.length, 'proposal')} made{refused.length > 0 && `, ${refused.length} refused`}. Each side can
        sign all of them at once on the page Index changes.
      </p>
      <LeftOut refused={refused} />
      <div className={classes.actions}>
        <Button onClick={close} data-autofocus>
          Close
        </Button>
      </div>
    </>
  )
}

/** Agreements that read the index and to which it cannot be offered. */
function LeftOut({ refused }: Pick<SpliceOffer, 'refused'>) {
  const { slug: ws } = useWorkspace()
  if (refused.length === 0) return null
  return (
    <div className={classes.listed}>
      <DataTable
        label="Agreements without a proposal"
        rows={refused}
        keyOf={({ slug }) => slug}
        columns={[
          {
            head: 'Agreement',
            isRowHead: true,
            cell: ({ slug }) => (
              <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
                {slug}
              </TextLink>
            ),
          },
          { head: 'Reason', cell: ({ why }) => asSentence(why) },
        ]}
      />
    </div>
  )
}
