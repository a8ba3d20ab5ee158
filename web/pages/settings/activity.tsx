// Who did what, when, from where; and whether the chains of hashes over all that was published and signed are still
// valid.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChainReport } from '../../../src/http/console/wire/settings.ts'
import { api } from '../../api.ts'
import { State } from '../../components/figures.tsx'
import { Empty, LoadingRows, Section, Trouble } from '../../components/page.tsx'
import { ScrollX } from '../../components/scroll-x.tsx'
import { TableHead } from '../../components/table-head.tsx'
import { useRequest } from '../../components/use-request.ts'
import { countOf, sentenceCase, writeHash, writeInstant } from '../../components/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

export function Activity() {
  const { slug, path } = useWorkspace()
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['w', slug, 'activity'],
    queryFn: ({ pageParam, signal }) => api.get(path('/activity', { before: pageParam ?? undefined }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
  })
  const rows = data?.pages.flatMap(page => page.rows) ?? []
  return (
    <>
      <Chains />
      <Section title="What was done">
        {error !== null && <Trouble error={error} retry={() => void refetch()} />}
        {isPending && <LoadingRows />}
        {data !== undefined && rows.length === 0 && <Empty title="No activity yet" />}
        {rows.length > 0 && (
          <ScrollX label="Activity">
            <table className="ledger roomy">
              <TableHead columns={['When', 'Who', 'What', 'Of what', 'From']} />
              <tbody>
                {rows.map(({ id, at, who, what, subject, fromAddress }) => (
                  <tr key={id}>
                    <td className="figures">{writeInstant(at)}</td>
                    <td>{who}</td>
                    <td>{what}</td>
                    <td>{subject}</td>
                    <td className="mono soft">{fromAddress ?? 'command line'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
        {hasNextPage && (
          <Button variant="default" mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Earlier
          </Button>
        )}
      </Section>
    </>
  )
}

function Chains() {
  const { path } = useWorkspace()
  const [report, setReport] = useState<ChainReport | null>(null)
  const { error, isPending, ask } = useRequest()
  const verify = () => ask(async () => setReport(await api.post(path('/chain/verify'), {})))
  return (
    <Section
      title="Has history been edited?"
      actions={
        <Button variant="default" size="xs" loading={isPending} onClick={() => void verify()}>
          Walk the chains
        </Button>
      }
    >
      <p className="soft prose">
        Everything that is published or signed is chained by hash to what came before. Verifying the chain shows that
        nothing was changed afterwards.
      </p>
      {error !== null && <Trouble error={error} />}
      <div aria-live="polite">
        {report?.chains.map(({ scope, publications, isWhole, problem, head }) => (
          <div key={scope} className={classes.line}>
            <State kind={isWhole ? 'good' : 'trouble'}>
              {scope === 'workspace' ? 'This workspace' : 'Public series'}:{' '}
              {isWhole ? `whole, ${countOf(publications, 'publication')}` : sentenceCase(problem ?? 'broken')}
            </State>
            {head !== null && <span className="mono soft">head {writeHash(head)}</span>}
          </div>
        ))}
      </div>
    </Section>
  )
}
