// Numbers that one side disputes: they wait for an answer, not for a signature.

import type { Overview } from '../../../src/views/shapes/overview.ts'
import { formatDisputed } from '../../components/agreements/objection-words.ts'
import { Change, State } from '../../components/figures/figures.tsx'
import { PriceWay } from '../../components/figures/price-way.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { useWorkspace } from '../../session.ts'

export function Disputed({ overview: { disputed, disputedCount } }: { readonly overview: Overview }) {
  const { slug: ws } = useWorkspace()
  if (disputed.length === 0) return null
  return (
    <Section title="Disputed">
      <DataTable
        label="Disputed"
        rows={disputed}
        keyOf={({ slug, entry }) => `${slug} ${entry.period}`}
        columns={[
          { head: 'Agreement', cell: ({ name }) => name },
          {
            head: 'Period',
            className: 'figures',
            cell: ({ slug, entry: { period } }) => (
              <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }}>
                {period}
              </TextLink>
            ),
          },
          { head: 'Change', isRight: true, cell: ({ entry }) => <Change pct={entry.step.changePct} /> },
          {
            head: 'Price',
            isRight: true,
            narrow: 'line',
            cell: ({ entry: { step }, currency, unit }) => <PriceWay step={step} currency={currency} unit={unit} />,
          },
          {
            head: 'State',
            narrow: 'line',
            cell: ({ entry }) => <State kind="trouble">{formatDisputed(entry.disputedBy)}</State>,
          },
        ]}
      />
      {disputedCount > disputed.length && <p className="soft">And {disputedCount - disputed.length} more.</p>}
    </Section>
  )
}
