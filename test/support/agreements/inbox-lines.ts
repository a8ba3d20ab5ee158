// The inbox period by period, as tests compare it: by date, then by slug.
import type { InboxPage, InboxPeriod } from '../../../src/views/shapes/inbox.ts'

export function linesOf({ rows }: InboxPage): (InboxPeriod & { readonly slug: string })[] {
  const lines = rows.flatMap(row =>
    row.kind === 'periods' ? row.periods.map(each => ({ ...each, slug: row.slug })) : [],
  )
  return lines.sort((a, b) => (`${a.date} ${a.slug}` < `${b.date} ${b.slug}` ? -1 : 1))
}
