// About a series: its source, its last check, the agreements that read it, and its earlier names.
import { memo } from 'react'
import type { SeriesPage } from '../../../../src/views/shapes/series.ts'
import { Ago } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Section } from '../../../components/page/page.tsx'
import { formatUpload } from '../../../components/words/origin-words.ts'
import { formatProvider } from '../../../components/words/provider-words.ts'
import { countOf, formatCount, formatInstant, sentenceCase } from '../../../components/words/words.ts'
import { useProviderNames, useWorkspace } from '../../../session.ts'
import classes from './series-head.module.css'

export const SeriesAbout = memo(function SeriesAbout({ page }: { readonly page: SeriesPage }) {
  const { series, description, source } = page
  const isOwn = !series.isFollowed
  return (
    <Section title="About this series">
      <dl className={classes.about}>
        {description !== '' && (
          <>
            <dt>Description</dt>
            <dd>{description}</dd>
          </>
        )}
        <dt>Read by</dt>
        <dd>
          <Readers agreements={page.agreements} series={page.series} />
        </dd>
        {!isOwn && (
          <>
            <dt>Last checked</dt>
            <dd>{series.lastAskedAt === null ? 'not yet' : <Ago at={series.lastAskedAt} />}</dd>
          </>
        )}
        <dt>Last changed</dt>
        <dd>{series.lastChangedAt === null ? 'not yet' : <Ago at={series.lastChangedAt} />}</dd>
        <dt>Source</dt>
        <dd>
          {source === null ? (
            <Uploads page={page} />
          ) : (
            <a href={source.home} target="_blank" rel="noreferrer">
              {source.name}
            </a>
          )}
        </dd>
        {source !== null && (
          <>
            <dt>Terms</dt>
            <dd>{source.terms}</dd>
          </>
        )}
        {page.metadata.length > 1 && (
          <>
            <dt>Earlier names</dt>
            <dd>
              <FormerNames metadata={page.metadata} />
            </dd>
          </>
        )}
      </dl>
    </Section>
  )
})

/** The others are only counted. */
const mostUploads = 12

/** Uploads: uploaded figures are not the provider's, whatever the code. */
function Uploads({ page: { series, uploads } }: { readonly page: SeriesPage }) {
  const names = useProviderNames()
  const { provider } = series
  return (
    <>
      The workspace’s own figures.
      {provider !== 'CUSTOM' &&
        ` They were uploaded under a code of ${formatProvider(provider, names)}; none of them were read from there.`}
      <ul>
        {uploads.slice(0, mostUploads).map(upload => (
          <li key={upload.at}>
            {sentenceCase(formatUpload(upload))}
            <span className={`mono ${classes.print}`}>SHA-256 {upload.sha256}</span>
          </li>
        ))}
        {uploads.length > mostUploads && <li>and {countOf(uploads.length - mostUploads, 'file')} before</li>}
        {uploads.length === 0 && <li>Imported before source files were recorded</li>}
      </ul>
    </>
  )
}

/** The list of agreements shows the others. */
const mostReaders = 12

function Readers({ agreements, series }: Pick<SeriesPage, 'agreements' | 'series'>) {
  const { slug } = useWorkspace()
  if (agreements.length === 0) return 'no agreement yet'
  // A link for the last one would take as much room as the last one itself.
  const shown = series.usedBy > mostReaders ? agreements.slice(0, mostReaders - 1) : agreements
  return (
    <ul>
      {shown.map(agreement => (
        <li key={agreement.slug}>
          <TextLink to="/w/$ws/agreements/$slug" params={{ ws: slug, slug: agreement.slug }}>
            {agreement.name}
          </TextLink>
        </li>
      ))}
      {series.usedBy > shown.length && (
        <li>
          <TextLink to="/w/$ws/agreements" params={{ ws: slug }} search={{ series: series.id }}>
            and {formatCount(series.usedBy - shown.length)} more
          </TextLink>
        </li>
      )}
    </ul>
  )
}

function FormerNames({ metadata }: Pick<SeriesPage, 'metadata'>) {
  return (
    <ul>
      {metadata.map(({ recordedAt, name, unit }, i) => (
        <li key={recordedAt}>
          {i === 0 ? 'At first' : `From ${formatInstant(recordedAt)}`}: {name}, {unit}
        </li>
      ))}
    </ul>
  )
}
