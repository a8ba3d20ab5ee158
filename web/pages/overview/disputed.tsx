// Numbers that one side disputes: they wait for an answer, not for a signature.
import type { Overview } from '../../../src/views/shapes/overview.ts'
import { writeDisputed } from '../../components/agreements/objection-words.ts'
import { Change, Money, State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { right, TableHead } from '../../components/table/table-head.tsx'
import { useWorkspace } from '../../session.ts'

export function Disputed({ overview: { disputed, disputedCount } }: { readonly overview: Overview }) {
  const { slug: ws } = useWorkspace()
  if (disputed.length === 0) return null
  return (
    <Section title="Disputed">
      <div className="scroll-x">
        <table className="ledger">
          <TableHead columns={['Formula', 'Period', right('Adjustment'), right('Price'), 'State']} />
          <tbody>
            {disputed.map(({ slug, name, entry, currency, unit }) => (
              <tr key={`${slug} ${entry.period}`}>
                <td>{name}</td>
                <td className="figures">
                  <TextLink to="/w/$ws/formulas/$slug/periods/$period" params={{ ws, slug, period: entry.period }}>
                    {entry.period}
                  </TextLink>
                </td>
                <td className="right">
                  <Change pct={entry.adjustmentPct} />
                </td>
                <td className="right">
                  {entry.price !== null && <Money amount={entry.price} currency={currency} unit={unit} />}
                </td>
                <td>
                  <State kind="trouble">{writeDisputed(entry.disputedBy)}</State>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {disputedCount > disputed.length && <p className="soft">And {disputedCount - disputed.length} more.</p>}
    </Section>
  )
}
