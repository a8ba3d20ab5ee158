// Events about the people of one's company since one last looked: shown until they are marked as seen.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { CompanyPage } from '../../../src/views/shapes/company.ts'
import { api } from '../../api.ts'
import { useRequest } from '../../components/dialog/use-request.ts'
import { Ago } from '../../components/figures/figures.tsx'
import { Trouble } from '../../components/page/page.tsx'
import { useWorkspace } from '../../session.ts'
import classes from './company/company.module.css'

export function PeopleNewsList({ page: { news } }: { readonly page: CompanyPage }) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const { error, isPending, ask } = useRequest()
  const [newest] = news
  if (newest === undefined) return null
  const seen = () =>
    ask(async () => {
      await api.post(path('/company/seen'), { until: newest.seq })
      await queries.invalidateQueries({ queryKey: ['w', slug] })
    })
  return (
    <section className={classes.note} aria-label="News about people">
      <h2>New since you last looked</h2>
      <NewsRows rows={news} />
      <p className="soft">
        Ask your colleagues if you did not expect it; somebody who should not be here can be removed.
      </p>
      {error !== null && <Trouble error={error} />}
      <Button variant="default" size="compact-sm" loading={isPending} onClick={() => void seen()}>
        I have seen this
      </Button>
    </section>
  )
}

export function NewsRows({ rows }: { readonly rows: CompanyPage['news'] }) {
  return (
    <ul className={classes.news}>
      {rows.map(({ seq, at, email, words }) => (
        <li key={seq}>
          <span>
            {email} {words}
          </span>{' '}
          <span className="soft">
            <Ago at={at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
