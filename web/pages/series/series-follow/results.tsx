// Search results: series to follow or to open, and data sets whose series have longer codes.
import { Button } from '@mantine/core'
import type { FollowRequest } from '../../../../src/http/console/wire/series-calls.ts'
import type { SeriesSearch } from '../../../../src/views/shapes/series.ts'
import { State } from '../../../components/figures/figures.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty } from '../../../components/page/page.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { useWorkspace } from '../../../session.ts'
import classes from './follow.module.css'

interface ResultsProps {
  readonly found: SeriesSearch
  readonly text: string
  readonly provider: string | null
  /** Whether a missing key was already mentioned. */
  readonly isKeyLacking: boolean
  readonly asking: FollowRequest | null
  readonly follow: (request: FollowRequest) => void
}

export function Results({ found, text, provider, isKeyLacking, asking, follow }: ResultsProps) {
  const { results, sets, trouble } = found
  return (
    <>
      {trouble !== null && (
        <p className={classes.say}>
          {!isKeyLacking && <State kind="waiting">{trouble}</State>}{' '}
          {results.length > 0 && <span className="soft">What follows is from the built-in list.</span>}
        </p>
      )}
      {results.length === 0 && sets.length === 0 && trouble === null && (
        <Empty title={`Nothing was found for “${text}”`}>
          {provider === null
            ? 'The built-in list has the most common series. Choose a provider above to search everything it has, or enter a code below.'
            : 'Try other words, or enter the code below as the provider writes it.'}
        </Empty>
      )}
      {results.length > 0 && (
        <ScrollX label="Series that were found">
          <table className="ledger">
            <thead>
              <tr>
                <th scope="col">Series</th>
                <th scope="col" className={classes.code}>
                  Code
                </th>
                <th scope="col">
                  <span className="unseen">What to do</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {results.map(each => (
                <ResultRow key={`${each.provider}/${each.code}`} result={each} asking={asking} follow={follow} />
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      {sets.length > 0 && <Sets sets={sets} />}
    </>
  )
}

interface ResultRowProps extends Pick<ResultsProps, 'asking' | 'follow'> {
  readonly result: SeriesSearch['results'][number]
}

function ResultRow({ result, asking, follow }: ResultRowProps) {
  const { slug } = useWorkspace()
  const { provider, code, name, detail, id } = result
  const isAsked = asking?.provider === provider && asking.code === code
  return (
    <tr>
      <td>
        <span className={classes.name}>{name}</span>
        {detail !== null && <span className="soft">{detail}</span>}
        <span className={`mono soft ${classes.codeUnder}`}>{`${provider}/${code}`}</span>
      </td>
      <td className={`mono ${classes.code}`}>{`${provider}/${code}`}</td>
      <td className="right">
        {id === null ? (
          <Button
            size="xs"
            variant="default"
            loading={isAsked}
            disabled={asking !== null && !isAsked}
            aria-label={`Follow ${name}`}
            onClick={() => follow({ provider, code })}
          >
            Follow
          </Button>
        ) : (
          <LinkButton to="/w/$ws/series/$id" params={{ ws: slug, id }} size="xs" variant="subtle">
            Open
          </LinkButton>
        )}
      </td>
    </tr>
  )
}

function Sets({ sets }: Pick<SeriesSearch, 'sets'>) {
  return (
    <>
      <p className={classes.say}>
        Matching data sets. Their series have longer codes, which begin like this; the provider’s own pages show them.
      </p>
      <ScrollX label="Matching data sets">
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col">Data set</th>
              <th scope="col">Code begins with</th>
            </tr>
          </thead>
          <tbody>
            {sets.map(({ code, name, note }) => (
              <tr key={code}>
                <td>
                  {name} {note !== null && <span className="soft">{note}</span>}
                </td>
                <td className="mono">{code}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </>
  )
}
