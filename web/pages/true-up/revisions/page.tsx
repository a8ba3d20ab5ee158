// Revisions: index values that changed since the person last looked, the effect of each on agreements, who pays whom because of
// it, and the due part of that.
import { Anchor, Button, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RadarKind } from '../../../../src/core/true-up/radar.ts'
import type { RevisionCause, Revisions } from '../../../../src/views/shapes/true-up.ts'
import { api } from '../../../api.ts'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { Breaking } from '../../../components/figures/breakable-code.tsx'
import { Tag } from '../../../components/figures/figures.tsx'
import { type AddressTexts, type ChangeAddress, useAddress } from '../../../components/page/address.ts'
import { IconCheck, IconSearch, IconSign } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { useOpened } from '../../../components/table/use-opened.ts'
import { Updating } from '../../../components/true-up/incomplete-list.tsx'
import { MoneyTable } from '../../../components/true-up/money-table.tsx'
import { ProposeButton } from '../../../components/true-up/propose-button.tsx'
import { ProposeDialog } from '../../../components/true-up/propose-dialog.tsx'
import { revisionsQuery } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { formatFlow, formatKinds, kindWords, moneyWords } from '../../../components/true-up/words.ts'
import { formatLabel } from '../../../components/words/period-words.ts'
import { countOf, formatFigure, formatInstant } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { CauseRows } from './cause-rows.tsx'

const kinds = Object.keys(kindWords) as RadarKind[]

type RevisionFilters = Parameters<typeof revisionsQuery>[1]

/** Causes to propose: one of them, or everything that is shown. */
interface Proposing {
  readonly cause?: string
  readonly what: string
}

export function RevisionsPage() {
  const workspace = useWorkspace()
  const [texts, change] = useAddress()
  const { q, kind, since, until } = texts
  const wanted: RevisionFilters = { q: q || undefined, kind: kinds.find(each => each === kind), since, until }
  const { data, error, refetch } = useQuery(revisionsQuery(workspace, wanted))
  const [proposing, setProposing] = useState<Proposing | null>(null)
  const isNarrowed = wanted.q !== undefined || wanted.kind !== undefined
  const mayPropose = data?.mayPropose === true && until === undefined
  return (
    <>
      <PageHead
        title="Revisions"
        under={data === undefined ? undefined : <Under revisions={data} />}
        actions={<Marking revisions={data} texts={texts} change={change} />}
      />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {data !== undefined && <Updating {...data} />}
      {data !== undefined && (
        <MoneyTable
          money={data.money}
          label="Money that moved"
          action={
            mayPropose ? (
              <ProposeButton
                size="xs"
                leftSection={<IconSign />}
                words="Propose all due"
                updating={data.updating}
                open={() => setProposing({ what: 'Every due correction in this list' })}
              />
            ) : undefined
          }
        />
      )}
      {data !== undefined && (data.causes.length > 0 || isNarrowed) && (
        <Filters texts={texts} kind={wanted.kind} change={change} revisions={data} />
      )}
      {data === undefined ? (
        error === null && <LoadingRows />
      ) : data.causes.length === 0 ? (
        data.updating === 0 && <Nothing isNarrowed={isNarrowed} seenUntil={data.seenUntil} />
      ) : (
        <Causes revisions={data} wanted={wanted} propose={mayPropose ? setProposing : null} />
      )}
      {proposing !== null && (
        <ProposeDialog
          wanted={{
            ...(wanted.q === undefined ? {} : { q: wanted.q }),
            ...(since === undefined ? {} : { since }),
            ...(proposing.cause === undefined ? {} : { cause: proposing.cause }),
          }}
          what={proposing.what}
          close={() => setProposing(null)}
        />
      )}
    </>
  )
}

interface MarkingProps {
  readonly revisions: Revisions | undefined
  readonly texts: AddressTexts
  readonly change: ChangeAddress
}

function Marking({ revisions, texts, change }: MarkingProps) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const marking = useRequest()
  if (revisions === undefined) return null
  const mark = (to: string | null) =>
    marking.ask(async () => {
      await api.post(workspace.path('/revisions/seen'), { until: to })
      change({ since: undefined, until: undefined })
      await queries.invalidateQueries({ queryKey: ['w', workspace.slug, 'revisions'] })
    })
  const isNew = revisions.count > 0 && revisions.updating === 0 && texts.since === undefined
  return (
    <>
      {marking.error !== null && <Trouble error={marking.error} />}
      {revisions.seenUntil !== null && (
        <Button variant="default" size="xs" loading={marking.isPending} onClick={() => void mark(null)}>
          Show the last 30 days
        </Button>
      )}
      {isNew && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCheck />}
          loading={marking.isPending}
          onClick={() => void mark(revisions.until)}
        >
          Mark all as seen
        </Button>
      )}
    </>
  )
}

interface FiltersProps extends Omit<MarkingProps, 'revisions'> {
  readonly revisions: Revisions
  readonly kind: RadarKind | undefined
}

function Filters({ revisions, texts, kind, change }: FiltersProps) {
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.query ?? ''}
        aria-label="Search revisions"
        placeholder="Name or slug of an agreement"
        leftSection={<IconSearch />}
        value={texts.q ?? ''}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <Select
        className={classes.filter ?? ''}
        aria-label="Kind of change"
        placeholder="Every kind of change"
        clearable
        data={kinds.map(value => ({ value, label: `${kindWords[value].words} (${revisions.kinds[value] ?? 0})` }))}
        value={kind ?? null}
        onChange={chosen => change({ kind: chosen ?? undefined })}
      />
    </search>
  )
}

function Under({
  revisions: { since, causes, causeCount, agreements, count, updating },
}: {
  readonly revisions: Revisions
}) {
  // If nothing was ever published, there is no moment to count from.
  if (count === 0 && since < '1971') return null
  if (count === 0) return updating > 0 ? null : <>No price has moved since {formatInstant(since)}.</>
  const values = causes.some(({ figure }) => figure === null) ? causeCount - 1 : causeCount
  const isNew = causes.some(({ figure }) => figure !== null && figure.before === null)
  return (
    <>
      {countOf(values, 'index value')} behind your agreements {values === 1 ? 'was' : 'were'}{' '}
      {isNew ? 'published or revised' : 'revised'} since {formatInstant(since)}: {countOf(count, 'period')} of{' '}
      {countOf(agreements, 'agreement')}.
    </>
  )
}

function Nothing({ isNarrowed, seenUntil }: { readonly isNarrowed: boolean; readonly seenUntil: string | null }) {
  if (isNarrowed) return <Empty title="No matching changes">Try removing a filter.</Empty>
  return (
    <Empty
      title={
        seenUntil === null ? 'No figure that your agreements read has been published yet' : 'You have seen everything'
      }
    >
      When a value they read is published, revised or becomes final, its effect on signed and open prices is listed
      here.
    </Empty>
  )
}

interface CausesProps {
  readonly revisions: Revisions
  readonly wanted: RevisionFilters
  /** Opens a proposal; null where this person proposes nothing. */
  readonly propose: ((proposing: Proposing) => void) | null
}

function Causes({ revisions: { causes, causeCount, updating }, wanted, propose }: CausesProps) {
  // The only one is opened by itself; while others are computed, it is only the first.
  const opened = useOpened(causes.length === 1 && updating === 0 ? [causes[0]!.key] : [])
  return (
    <>
      <DataTable
        label="Index values that changed"
        isTall
        rows={causes}
        keyOf={({ key }) => key}
        columns={[
          { head: 'Index value', isRowHead: true, className: classes.cause, cell: cause => <Value cause={cause} /> },
          {
            head: 'Published',
            isRight: true,
            narrow: 'line',
            cell: ({ figure }) => figure !== null && <Way figure={figure} />,
          },
          {
            head: 'Agreements',
            narrow: 'line',
            cell: ({ agreements, kinds: of }) => (
              <>
                {countOf(agreements, 'agreement')}
                <span className="under">{formatKinds(of)}</span>
              </>
            ),
          },
          {
            head: 'Money',
            narrow: 'line',
            className: classes.flows,
            cell: ({ money }) =>
              money.map(({ state, flows }) => (
                <div key={state}>
                  <span className="soft">
                    {moneyWords[state]}
                    {flows.length === 0 && ', no amount known'}
                  </span>
                  {flows.map(flow => (
                    <div key={`${flow.from} ${flow.to} ${flow.currency}`}>
                      {formatFlow(flow)}
                      {flows.filter(({ to }) => to === flow.to).length > 1 && ` from ${flow.from}`}
                    </div>
                  ))}
                </div>
              )),
          },
        ]}
        actions={cause => (
          <span className={classes.rowActions}>
            <Anchor
              component="button"
              type="button"
              inherit
              aria-expanded={opened.has(cause.key)}
              onClick={() => opened.turn(cause.key)}
            >
              {opened.has(cause.key) ? 'Hide' : 'Show'}
              <span className="unseen"> agreements of {nameOf(cause)}</span>
            </Anchor>
            {propose !== null && cause.money.some(({ state }) => state === 'DUE') && (
              <ProposeButton
                size="compact-sm"
                variant="default"
                words="Propose due"
                unseen={<span className="unseen"> by {nameOf(cause)}</span>}
                updating={updating}
                open={() => propose({ cause: cause.key, what: `Every due correction because of ${nameOf(cause)}` })}
              />
            )}
          </span>
        )}
        below={cause =>
          opened.has(cause.key) && (
            <CauseRows wanted={wanted} cause={cause.key} label={`Agreements of ${nameOf(cause)}`} />
          )
        }
      />
      {causeCount > causes.length && (
        <p className="soft">And {causeCount - causes.length} more index values; search for an agreement to see them.</p>
      )}
    </>
  )
}

function nameOf({ figure }: RevisionCause): string {
  return figure === null ? 'other reasons' : `${figure.name}, ${formatLabel(figure.period)}`
}

function Value({ cause: { figure } }: { readonly cause: RevisionCause }) {
  const { slug: ws } = useWorkspace()
  if (figure === null) return <>Other reasons</>
  const { name, seriesId, period, series } = figure
  return (
    <>
      {seriesId === null ? (
        name
      ) : (
        <TextLink to="/w/$ws/series/$id" params={{ ws, id: seriesId }}>
          {name}
        </TextLink>
      )}
      , <span className="figures">{formatLabel(period)}</span>
      {name !== series && (
        <span className="under mono">
          <Breaking text={series} />
        </span>
      )}
    </>
  )
}

function Way({ figure: { before, after, tag } }: { readonly figure: NonNullable<RevisionCause['figure']> }) {
  return (
    <>
      <span className="figures">
        {before !== null && `${formatFigure(before)} → `}
        {after === null ? 'withdrawn' : formatFigure(after)}
      </span>
      {tag !== null && (
        <span className="under">
          <Tag tag={tag as 'FINAL' | 'PRELIMINARY' | 'REVISED'} />
        </span>
      )}
    </>
  )
}
