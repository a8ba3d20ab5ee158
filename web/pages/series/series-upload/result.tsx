// Findings of the server in a file: every problem by line, or the series with their changes.

import { Anchor } from '@mantine/core'
import { useState } from 'react'
import type { UploadedSeries, UploadResult } from '../../../../src/views/shapes/series.ts'
import { Figure, State, Tag } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { FileProblems } from '../../../components/table/file-problems.tsx'
import { formatLabel } from '../../../components/words/period-words.ts'
import { countOf, formatInstant } from '../../../components/words/words.ts'
import classes from './upload.module.css'

export function Problems({ result }: { readonly result: UploadResult }) {
  const { problems, problemCount, lacksSeries } = result
  return (
    <>
      <p className={classes.verdict} role="alert">
        <State kind="trouble">
          {countOf(problemCount, 'problem')}; nothing was imported. Fix the file and choose it again.
        </State>
        {lacksSeries && ' If the whole file is about one series, choose it above instead.'}
      </p>
      <FileProblems problems={problems} count={problemCount} />
    </>
  )
}

export function verdictOf(result: UploadResult): string {
  const { rows, seriesCount, totals } = result
  const { added, revised, unchanged, created } = totals
  const scope = `${countOf(rows, 'row')} in ${countOf(seriesCount, 'series', 'series')}`
  if (added + revised === 0) return `${scope}: everything is here already.`
  const parts = [
    countOf(added, 'new value'),
    revised === 0 ? '' : countOf(revised, 'revised value'),
    unchanged === 0 ? '' : `${unchanged} unchanged`,
    created === 0 ? '' : countOf(created, 'new series', 'new series'),
  ].filter(part => part !== '')
  return `${scope}: ${parts.join(', ')}${result.mode === 'import' ? ' imported.' : '.'}`
}

const shownSeries = 50

export function SeriesFound({ result, slug }: { readonly result: UploadResult; readonly slug: string }) {
  const [opened, setOpened] = useState<string | null>(
    result.series.length === 1 ? referenceOf(result.series[0]!) : null,
  )
  const [count, setCount] = useState(shownSeries)
  const shown = result.series.slice(0, count)
  return (
    <>
      <DataTable
        label="Series in the file"
        rows={shown}
        keyOf={referenceOf}
        columns={[
          { head: 'Series', cell: series => <SeriesName series={series} slug={slug} /> },
          {
            head: 'Periods',
            className: 'figures',
            cell: ({ firstPeriod, lastPeriod }) => `${formatLabel(firstPeriod)} to ${formatLabel(lastPeriod)}`,
          },
          { head: 'New', isRight: true, cell: ({ added }) => added },
          { head: 'Revised', isRight: true, cell: ({ revised }) => revised },
          { head: 'Unchanged', isRight: true, cell: ({ unchanged }) => unchanged },
        ]}
        actions={series => {
          const isOpen = opened === referenceOf(series)
          return (
            <Anchor
              component="button"
              type="button"
              inherit
              aria-expanded={isOpen}
              onClick={() => setOpened(isOpen ? null : referenceOf(series))}
            >
              {isOpen ? 'Hide rows' : 'First rows'}
            </Anchor>
          )
        }}
        below={series => opened === referenceOf(series) && <SampleRows series={series} />}
      />
      {result.seriesCount > shown.length && (
        <p className="soft">
          And {result.seriesCount - shown.length} more series.{' '}
          {result.series.length > shown.length && (
            <Anchor component="button" type="button" inherit onClick={() => setCount(count * 4)}>
              Show more
            </Anchor>
          )}
        </p>
      )}
    </>
  )
}

function referenceOf({ provider, code }: UploadedSeries): string {
  return `${provider}/${code}`
}

function SeriesName({ series, slug }: { readonly series: UploadedSeries; readonly slug: string }) {
  const { id, name, isNew } = series
  return (
    <>
      <span className={classes.name}>
        {id === null ? (
          name
        ) : (
          <TextLink to="/w/$ws/series/$id" params={{ ws: slug, id }}>
            {name}
          </TextLink>
        )}
      </span>
      <span className="mono soft">{referenceOf(series)}</span>{' '}
      {isNew && id === null && <span className="soft">new</span>}
    </>
  )
}

/** The first rows as they were understood. */
function SampleRows({ series: { sample, name } }: { readonly series: UploadedSeries }) {
  return (
    <DataTable
      className={classes.sample}
      caption={<caption className="unseen">{`First rows of ${name} as they were understood`}</caption>}
      rows={sample}
      // Rows of a file have no other identity.
      keyOf={(_, i) => i}
      columns={[
        { head: 'Period', cell: ({ period }) => formatLabel(period) },
        {
          head: 'Value',
          isRight: true,
          cell: ({ value }) => (value === null ? 'withdrawn' : <Figure value={value} />),
        },
        {
          head: 'Tag',
          cell: ({ tag }) => (tag === null ? <span className="soft">from its history</span> : <Tag tag={tag} />),
        },
        { head: 'Published', cell: ({ publishedAt }) => (publishedAt === null ? 'now' : formatInstant(publishedAt)) },
      ]}
    />
  )
}
