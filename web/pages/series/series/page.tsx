// One series: its values as they stood on any day, every revision, and the figures to download.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { formatDay } from '../../../../src/core/time/day.ts'
import type { SeriesPage as PageData } from '../../../../src/views/shapes/series.ts'
import { ApiFailure, api } from '../../../api.ts'
import { seriesIndexChangesQuery } from '../../../components/index-changes/queries.ts'
import { type AddressTexts, type ChangeAddress, useAddress } from '../../../components/page/address.ts'
import { CopyAsCurl } from '../../../components/page/copy.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty, LoadingPage, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { countOf, formatFrequency, sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { AsOfSlider, sharedAxis, sinceWords } from './as-of-slider.tsx'
import { BaseField, ChartTools, Compare, mostBeside } from './chart/chart-tools.tsx'
import { type Mark, marksOf } from './chart/marks.ts'
import { SeriesChart } from './chart/series-chart.tsx'
import { IndexChanges } from './index-changes.tsx'
import { SeriesAbout } from './series-about.tsx'
import headClasses from './series-head.module.css'
import { LastValue, Notices } from './series-head.tsx'
import { isInStep, valuesSheet } from './values/values-rows.ts'
import { ValuesTable } from './values/values-table.tsx'
import { VintageDrawer } from './values/vintage-drawer.tsx'
import { buildView, coverOf, readMode, type Subject, type View } from './view.ts'
import { compareCuts, placesWithin, readAsOf, readHistory } from './vintages.ts'

export function SeriesPage() {
  const { id = '' } = useParams({ strict: false })
  const { slug } = useWorkspace()
  const page = useQuery(useSeriesQuery()(id))
  if (page.isPending) return <LoadingPage />
  if (page.error instanceof ApiFailure && page.error.status === 404) return <NoSuchSeries slug={slug} />
  if (page.data === undefined) return <Trouble error={page.error} retry={() => void page.refetch()} />
  return <Shown key={id} page={page.data} />
}

function useSeriesQuery() {
  const { slug, path } = useWorkspace()
  return (id: string) => ({
    queryKey: ['w', slug, 'series', id],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.get(path('/series/:id', { id }), signal),
  })
}

function NoSuchSeries({ slug }: { readonly slug: string }) {
  return (
    <>
      <PageHead title="No such series" />
      <Empty
        title="This workspace has no such series, or you cannot see it"
        action={
          <LinkButton to="/w/$ws/series" params={{ ws: slug }}>
            To the list of series
          </LinkButton>
        }
      >
        Perhaps the address was cut short. A supplier sees the series that its own agreements read.
      </Empty>
    </>
  )
}

function subjectOf(page: PageData): Subject {
  const { id, name, unit, frequency } = page.series
  return { id, name, unit, history: readHistory(page.vintages, frequency), originOf: originsOf(page) }
}

function originsOf({ source, uploads }: PageData): Subject['originOf'] {
  if (source !== null) return () => ({ provider: source.shortName })
  const byInstant = new Map(uploads.map(upload => [upload.at, upload]))
  return recordedAt => ({ upload: byInstant.get(recordedAt) ?? null })
}

/** The other series that have loaded, in the order of the address, and those that could not be loaded. */
function useBeside(ids: readonly string[]): { beside: readonly Subject[]; trouble: string | null } {
  const query = useSeriesQuery()
  return useQueries({
    queries: ids.map(id => ({ ...query(id), select: subjectOf, structuralSharing: false })),
    combine: combineBeside,
  })
}

function combineBeside(answers: readonly { data: Subject | undefined; error: Error | null }[]) {
  const failed = answers.filter(({ error }) => error !== null).length
  return {
    beside: answers.flatMap(({ data }) => data ?? []),
    trouble: failed === 0 ? null : `${countOf(failed, 'series', 'series')} to compare with could not be loaded.`,
  }
}

const dayMs = 86_400_000

function useView(main: Subject, beside: readonly Subject[], { asOf, mode, from, to, base }: AddressTexts) {
  const cut = useMemo(() => readAsOf(asOf), [asOf])
  const view = useMemo(
    () => buildView(main, beside, { asOf: cut, mode: readMode(mode), from, to, base }),
    [main, beside, cut, mode, from, to, base],
  )
  return { asOf: cut, view }
}

function Shown({ page }: { readonly page: PageData }) {
  const [address, change, isMoving] = useAddress()
  const { series } = page
  const main = useMemo(() => subjectOf(page), [page])
  const ids = useMemo(() => idsBeside(address.with, series.id), [address.with, series.id])
  const { beside, trouble } = useBeside(ids)
  const { asOf, view } = useView(main, beside, address)
  const cover = useMemo(() => coverOf(main.history), [main])
  const zoom = useZoom(cover, main, change)
  const { openPeriod, choose, chooseDay, showAsOf } = useChoices(change)
  const compare = useMemo(() => <Compare id={series.id} beside={beside} choose={choose} />, [series.id, beside, choose])
  const settled = useSettled(view, isMoving)
  const marks = useMarks(series.id)
  const { mode, from, to, revisions, period, up } = address
  const { cut } = view.lines[0]!
  const today = Math.floor(Date.now() / dayMs)
  return (
    <>
      <Head series={series} source={page.source?.name ?? 'Own figures'} view={settled} {...{ from, to, up }} />
      <LastValue subject={main} cut={cut} asOf={asOf?.text ?? null} />
      <Notices page={page} />
      <ChartTools
        {...{ mode: view.isForced ? 'rebased' : readMode(mode), cover, from, to, change }}
        hasFan={revisions !== undefined}
        canHaveFan={main.history.revisionDays > 0}
      >
        {compare}
      </ChartTools>
      {trouble !== null && <p role="alert">{trouble}</p>}
      <BaseField view={view} change={change} />
      <SeriesChart
        view={view}
        hasFan={revisions !== undefined}
        marks={marks}
        openPeriod={openPeriod}
        zoom={zoom}
        until={today}
        below={axis =>
          main.history.days.length > 0 && (
            <AsOfSlider
              days={main.history.days}
              tall="with revisions"
              short="with new periods only"
              axis={sharedAxis(axis, main.history.days, today)}
              asOf={asOf}
              today={today}
              note={sinceWords(view.today === null ? null : compareCuts(main.history, cut, view.today.cut))}
              choose={chooseDay}
            />
          )
        }
      />
      <Values view={settled} isUp={up !== undefined} chosen={period} {...{ change, openPeriod }} />
      <IndexChanges seriesId={series.id} usedBy={series.usedBy} />
      <SeriesAbout page={page} />
      <VintageDrawer view={settled} label={period} open={openPeriod} showAsOf={showAsOf} />
    </>
  )
}

/** Events of the index and the days on which agreements join it, for the chart. */
function useMarks(id: string): readonly Mark[] {
  const { data } = useQuery(seriesIndexChangesQuery(useWorkspace(), id))
  return useMemo(() => (data === undefined ? [] : marksOf(data, id)), [data, id])
}

/** The line follows the pointer; everything around it is updated when dragging stops. */
function useSettled(view: View, isMoving: boolean): View {
  const [shown, setShown] = useState(view)
  if (!isMoving && shown !== view) setShown(view)
  return useDeferredValue(isMoving ? shown : view)
}

function idsBeside(text: string | undefined, own: string): readonly string[] {
  const ids = (text ?? '').split(',').filter(id => id !== '' && id !== own)
  return [...new Set(ids)].slice(0, mostBeside)
}

/** Functions that stay the same while the page is open, so that components that receive them do not render again. */
function useChoices(change: ChangeAddress) {
  return useMemo(
    () => ({
      openPeriod: (label: string | undefined) => change({ period: label }),
      choose: (ids: readonly string[]) => change({ with: ids.length === 0 ? undefined : ids.join(',') }),
      chooseDay: (day: string | undefined, when: 'now' | 'soon') => change({ asOf: day }, when),
      showAsOf: (day: string) => change({ asOf: day, period: undefined }),
    }),
    [change],
  )
}

/** Zooms to whole days within the series, never fewer than a few periods. */
function useZoom(cover: { fromDay: number; toDay: number }, { history }: Subject, change: ChangeAddress) {
  return useCallback(
    (from: number, to: number, when: 'now' | 'soon') => {
      const width = Math.min(to - from, cover.toDay - cover.fromDay)
      const fromDay = Math.round(Math.max(cover.fromDay, Math.min(from, cover.toDay - width)))
      const toDay = Math.round(Math.min(cover.toDay, fromDay + width))
      const [first, end] = placesWithin(history, fromDay, toDay)
      if (end - first < 2) return
      change(
        {
          from: fromDay <= cover.fromDay ? undefined : formatDay(fromDay),
          to: toDay >= cover.toDay ? undefined : formatDay(toDay),
        },
        when,
      )
    },
    [cover, history, change],
  )
}

interface HeadProps {
  readonly series: PageData['series']
  readonly source: string
  readonly view: View
  readonly from: string | undefined
  readonly to: string | undefined
  readonly up: string | undefined
}

const Head = memo(function Head({ series, source, view, from, to, up }: HeadProps) {
  const { slug } = useWorkspace()
  const { id, name, provider, code, frequency } = series
  const asOf = view.asOf?.text
  const asked = Object.entries({ asOf, from, to }).filter(([, text]) => text !== undefined)
  const query = asked.map(([key, text]) => `${key}=${encodeURIComponent(text!)}`).join('&')
  return (
    <PageHead
      title={name}
      crumbs={[{ label: 'Series', to: '/w/$ws/series', params: { ws: slug } }]}
      under={
        <span className={headClasses.what}>
          <span className="mono">{`${provider}/${code}`}</span>
          <span>{source}</span>
          <span>{sentenceCase(formatFrequency(frequency))}</span>
        </span>
      }
      actions={
        <>
          <CopyAsCurl path={`/series/${id}/values${query === '' ? '' : `?${query}`}`} />
          <ExportMenu
            fileName={fileName(provider, code, asOf)}
            sheet={() => valuesSheet(view, up !== undefined)}
            isEmpty={view.lines[0]!.history.labels.length === 0}
          />
        </>
      }
    />
  )
})

function fileName(provider: string, code: string, asOf: string | undefined): string {
  const plain = `${provider}-${code}`.replace(/[^A-Za-z0-9._-]+/g, '-')
  return asOf === undefined ? plain : `${plain}-as-of-${asOf.slice(0, 10)}`
}

interface ValuesProps {
  readonly view: View
  readonly isUp: boolean
  readonly chosen: string | undefined
  readonly change: ChangeAddress
  readonly openPeriod: (label: string) => void
}

const Values = memo(function Values({ view, isUp, chosen, change, openPeriod }: ValuesProps) {
  const main = view.lines[0]!
  const apart = view.lines.slice(1).filter(other => !isInStep(main, other))
  const shown = main.end - main.first
  const all = main.history.labels.length
  if (all === 0) return null
  return (
    <Section title={shown === all ? 'Values' : `Values: ${shown} of ${countOf(all, 'period')}`}>
      {apart.length > 0 && (
        <p className="soft">
          {apart.map(({ name }) => name).join('; ')}: not in this table, because the periods differ.
        </p>
      )}
      <ValuesTable
        {...{ view, isUp, chosen, openPeriod }}
        setUp={isNowUp => change({ up: isNowUp ? '1' : undefined })}
      />
    </Section>
  )
})
