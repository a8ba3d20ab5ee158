// Figures that an adjustment was computed from: period and vintage, the times of publication and recording, and the source.
// Figures that a workspace uploaded are never attributed to the provider.

import { isFirstSeen } from '../../../src/core/series/vintage.ts'
import type { ObservationView } from '../../../src/views/shapes/agreements.ts'
import { Breaking } from '../figures/breakable-code.tsx'
import { Tag } from '../figures/figures.tsx'
import { OriginList } from '../figures/origin-list.tsx'
import { TextLink } from '../page/links.tsx'
import { DataTable } from '../table/data-table.tsx'
import { countOrigins, formatOriginShort } from '../words/origin-words.ts'
import { formatPublishedWords, publishedCell } from '../words/publication-words.ts'
import { formatInstant } from '../words/words.ts'
import classes from './observations.module.css'

interface ObservationsProps {
  readonly observations: readonly ObservationView[]
  /** The workspace that the links to series lead to. */
  readonly workspace: string | null
}

export function Observations({ observations, workspace }: ObservationsProps) {
  if (observations.length === 0) return <p className="soft">No figure was read.</p>
  return (
    <>
      <DataTable
        label="Figures"
        rows={observations}
        keyOf={({ input, reference, period }) => `${input} ${reference} ${period}`}
        columns={[
          { head: 'Input', narrow: 'drop', className: 'mono', cell: ({ input }) => <Breaking text={input} /> },
          {
            head: 'Series',
            className: classes.series,
            cell: each => <SeriesName observation={each} workspace={workspace} />,
          },
          { head: 'Period', className: 'figures', cell: ({ period }) => period },
          { head: 'Value', figure: ({ value }) => value },
          {
            head: 'Vintage',
            narrow: ({ input, tag, origin, ...each }) => (
              <span className="under">
                <span className="mono">{input}</span>, <Tag tag={tag} />, {formatPublishedWords(each, formatInstant)}
                {each.recordedAt !== null && !isFirstSeen(each) && `, recorded ${formatInstant(each.recordedAt)}`},{' '}
                {formatOriginShort(origin)}
              </span>
            ),
            cell: ({ tag }) => <Tag tag={tag} />,
          },
          {
            head: 'Published',
            narrow: 'drop',
            className: 'figures',
            cell: each => publishedCell(each, formatInstant),
          },
          {
            head: 'Recorded',
            narrow: 'drop',
            className: classes.recorded,
            cell: ({ recordedAt }) => (recordedAt === null ? '' : formatInstant(recordedAt)),
          },
          { head: 'From', narrow: 'drop', cell: ({ origin }) => formatOriginShort(origin) },
        ]}
      />
      <h3 className={classes.subHead}>Where they come from</h3>
      <OriginList origins={countOrigins(observations.map(({ origin }) => origin))} />
    </>
  )
}

function SeriesName({
  observation: { seriesId, name, reference, publishedAt },
  workspace,
}: {
  readonly observation: ObservationView
  readonly workspace: string | null
}) {
  return (
    <>
      {workspace === null || seriesId === null ? (
        name
      ) : (
        <TextLink
          to="/w/$ws/series/$id"
          params={{ ws: workspace, id: seriesId }}
          search={{ asOf: publishedAt.slice(0, 10) }}
        >
          {name}
        </TextLink>
      )}
      {name !== reference && (
        <span className={classes.reference}>
          <Breaking text={reference} />
        </span>
      )}
    </>
  )
}
