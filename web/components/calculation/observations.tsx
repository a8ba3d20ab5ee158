// The figures an adjustment was computed from: which vintage of which period, when it was published and recorded, and its
// source. Figures that a workspace uploaded are never attributed to the provider.
import type { ObservationView } from '../../../src/views/shapes/agreements.ts'
import { Breaking } from '../figures/breaking.tsx'
import { Tag } from '../figures/figures.tsx'
import { OriginList } from '../figures/origin-list.tsx'
import { TextLink } from '../page/links.tsx'
import { ScrollX } from '../table/scroll-x.tsx'
import { countOrigins, writeOriginShort } from '../words/origin-words.ts'
import { alignOnPoint, writeInstant } from '../words/words.ts'
import classes from './observations.module.css'

interface ObservationsProps {
  readonly observations: readonly ObservationView[]
  /** The workspace that the links to series lead to; null if there is none. */
  readonly workspace: string | null
}

export function Observations({ observations, workspace }: ObservationsProps) {
  if (observations.length === 0) return <p className="soft">No figure was read.</p>
  const values = alignOnPoint(observations.map(({ value }) => value))
  return (
    <>
      <ScrollX label="Figures">
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col" className="on-wide">
                Input
              </th>
              <th scope="col">Series</th>
              <th scope="col">Period</th>
              <th scope="col" className="right">
                Value
              </th>
              <th scope="col" className="on-wide">
                Vintage
              </th>
              <th scope="col" className="on-wide">
                Published
              </th>
              <th scope="col" className="on-wide">
                Recorded
              </th>
              <th scope="col" className="on-wide">
                From
              </th>
            </tr>
          </thead>
          <tbody>
            {observations.map((each, i) => (
              <tr key={`${each.input} ${each.reference} ${each.period}`}>
                <td className="mono on-wide">
                  <Breaking text={each.input} />
                </td>
                <td className={classes.series}>
                  <SeriesName observation={each} workspace={workspace} />
                  <span className={`${classes.folded} on-narrow`}>
                    <span className="mono">{each.input}</span>, <Tag tag={each.tag} />, published{' '}
                    {writeInstant(each.publishedAt)}
                    {each.recordedAt !== null && `, recorded ${writeInstant(each.recordedAt)}`},{' '}
                    {writeOriginShort(each.origin)}
                  </span>
                </td>
                <td className="figures">{each.period}</td>
                <td className="right">{values[i]}</td>
                <td className="on-wide">
                  <Tag tag={each.tag} />
                </td>
                <td className="figures on-wide">{writeInstant(each.publishedAt)}</td>
                <td className={`${classes.recorded} on-wide`}>
                  {each.recordedAt === null ? '' : writeInstant(each.recordedAt)}
                </td>
                <td className="on-wide">{writeOriginShort(each.origin)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
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
