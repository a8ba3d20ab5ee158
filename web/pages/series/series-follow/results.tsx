// Search results: series to follow or to open, and data sets whose series have longer codes.

import { Button } from '@mantine/core'
import type { FollowRequest } from '../../../../src/views/calls/series-calls.ts'
import type { SeriesSearch } from '../../../../src/views/shapes/series.ts'
import { State } from '../../../components/figures/figures.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
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
          {results.length > 0 && <span className="soft">The results below are from the built-in list.</span>}
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
        <DataTable
          label="Series that were found"
          rows={results}
          keyOf={({ provider: of, code }) => `${of}/${code}`}
          columns={[
            {
              head: 'Series',
              cell: ({ name, detail }) => (
                <>
                  <span className={classes.name}>{name}</span>
                  {detail !== null && <span className="soft">{detail}</span>}
                </>
              ),
            },
            {
              head: 'Code',
              narrow: ({ provider: of, code }) => <span className="mono soft">{`${of}/${code}`}</span>,
              className: 'mono',
              cell: ({ provider: of, code }) => `${of}/${code}`,
            },
          ]}
          actions={result => <Follow result={result} asking={asking} follow={follow} />}
        />
      )}
      {sets.length > 0 && <Sets sets={sets} />}
    </>
  )
}

interface FollowProps extends Pick<ResultsProps, 'asking' | 'follow'> {
  readonly result: SeriesSearch['results'][number]
}

function Follow({ result: { provider, code, name, id }, asking, follow }: FollowProps) {
  const { slug } = useWorkspace()
  if (id !== null)
    return (
      <LinkButton to="/w/$ws/series/$id" params={{ ws: slug, id }} size="xs" variant="subtle">
        Open
      </LinkButton>
    )
  const isAsked = asking?.provider === provider && asking.code === code
  return (
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
  )
}

function Sets({ sets }: Pick<SeriesSearch, 'sets'>) {
  return (
    <>
      <p className={classes.say}>
        Matching data sets. Their series have longer codes, which begin like this; the provider’s own pages show them.
      </p>
      <DataTable
        label="Matching data sets"
        rows={sets}
        keyOf={({ code }) => code}
        columns={[
          {
            head: 'Data set',
            cell: ({ name, note }) => (
              <>
                {name} {note !== null && <span className="soft">{note}</span>}
              </>
            ),
          },
          { head: 'Code begins with', className: 'mono', cell: ({ code }) => code },
        ]}
      />
    </>
  )
}
