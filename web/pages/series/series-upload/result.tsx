// What the server found in a file: every problem by line, or the series with what would change in them.
import { Anchor } from '@mantine/core'
import { Fragment, useState } from 'react'
import type { UploadedSeries, UploadResult } from '../../../../src/views/shapes/series.ts'
import { Figure, State, Tag } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { FileProblems } from '../../../components/table/file-problems.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { writeLabel } from '../../../components/words/period-words.ts'
import { countOf, writeInstant } from '../../../components/words/words.ts'
import classes from './upload.module.css'

export function Problems({ result }: { readonly result: UploadResult }) {
  const { problems, problemCount } = result
  const lacksSeries = problems.some(({ message }) => message.startsWith('series: the column series is missing'))
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

/** The result for a file, in one sentence. */
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

/** More are shown on request. */
const shownSeries = 50

export function SeriesFound({ result, slug }: { readonly result: UploadResult; readonly slug: string }) {
  const [opened, setOpened] = useState<string | null>(
    result.series.length === 1 ? referenceOf(result.series[0]!) : null,
  )
  const [count, setCount] = useState(shownSeries)
  const shown = result.series.slice(0, count)
  return (
    <>
      <ScrollX label="Series in the file">
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col">Series</th>
              <th scope="col">Periods</th>
              <th scope="col" className="right">
                New
              </th>
              <th scope="col" className="right">
                Revised
              </th>
              <th scope="col" className="right">
                Unchanged
              </th>
              <th scope="col">
                <span className="unseen">Rows</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(series => {
              const reference = referenceOf(series)
              const isOpen = opened === reference
              return (
                <Fragment key={reference}>
                  <SeriesLine {...{ series, slug, isOpen }} toggle={() => setOpened(isOpen ? null : reference)} />
                  {isOpen && <SampleRows series={series} />}
                </Fragment>
              )
            })}
          </tbody>
        </table>
      </ScrollX>
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

interface SeriesLineProps {
  readonly series: UploadedSeries
  readonly slug: string
  readonly isOpen: boolean
  readonly toggle: () => void
}

function SeriesLine({ series, slug, isOpen, toggle }: SeriesLineProps) {
  const { id, name, isNew, added, revised, unchanged, firstPeriod, lastPeriod } = series
  return (
    <tr>
      <td>
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
      </td>
      <td className="figures">
        {writeLabel(firstPeriod)} to {writeLabel(lastPeriod)}
      </td>
      <td className="right">{added}</td>
      <td className="right">{revised}</td>
      <td className="right">{unchanged}</td>
      <td className="right">
        <Anchor component="button" type="button" inherit aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide rows' : 'First rows'}
        </Anchor>
      </td>
    </tr>
  )
}

/** The first rows as they were understood. */
function SampleRows({ series: { sample, name } }: { readonly series: UploadedSeries }) {
  return (
    <tr className={classes.sample}>
      <td colSpan={6}>
        <table className="ledger" aria-label={`First rows of ${name} as they were understood`}>
          <thead>
            <tr>
              <th scope="col">Period</th>
              <th scope="col" className="right">
                Value
              </th>
              <th scope="col">Tag</th>
              <th scope="col">Published</th>
            </tr>
          </thead>
          <tbody>
            {sample.map(({ period, value, tag, publishedAt }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other identity.
              <tr key={i}>
                <td>{writeLabel(period)}</td>
                <td className="right">{value === null ? 'withdrawn' : <Figure value={value} />}</td>
                <td>{tag === null ? <span className="soft">by its history</span> : <Tag tag={tag} />}</td>
                <td>{publishedAt === null ? 'now' : writeInstant(publishedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </td>
    </tr>
  )
}
