// A splice in its parts: the coefficient, both lines before and after joining, the ratio, the effect, the evidence, the
// alternatives.

import type { SpliceBody } from '../../../../src/core/index-changes/splice-schema.ts'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { TermsChangePage } from '../../../../src/views/shapes/index-changes.ts'
import sheet from '../../../components/calculation/sheet.module.css'
import { EffectTable } from '../../../components/index-changes/effect-table.tsx'
import { eventWords, formatExact, methodWords } from '../../../components/index-changes/words.ts'
import { Facts } from '../../../components/page/facts.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Section } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { asSentence, countOf } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './change.module.css'
import { LinesChart, RatioChart } from './splice-chart.tsx'

interface SpliceProps {
  readonly page: TermsChangePage
  readonly body: SpliceBody
}

export function SpliceAnswer({ page: { lines, warnings }, body }: SpliceProps) {
  const { coefficient, ground, bases, join, effectiveFrom } = body
  return (
    <>
      <p className={classes.names}>
        <SeriesName name={body.old.name} id={lines?.old.id ?? null} /> →{' '}
        <SeriesName name={body.new.name} id={lines?.new.id ?? null} />
      </p>
      <div className={sheet.answer}>
        <p className={sheet.number}>{coefficient === null ? 'New base' : coefficient.written}</p>
        <p className={sheet.since}>
          {coefficient === null
            ? bases.map(({ input, before, after }) => `${input}: base ${before} → ${after}`).join('; ')
            : `${coefficient.direction === 'OLD_TO_NEW' ? 'old value × coefficient = value on the new level' : 'new value × coefficient = value on the old level'}; exact ${formatExact(coefficient.exact, 12)}`}
        </p>
      </div>
      <p className={sheet.sentence}>
        {ground.sentence}{' '}
        {ground.kind === 'EVENT'
          ? `Published${ground.change === null ? '' : `: ${eventWords[ground.change].words.toLowerCase()}`}.`
          : ground.kind === 'SUSPECT'
            ? 'Suspected from the stored figures.'
            : ''}{' '}
        The old series is read up to {join}; the new one counts from the adjustment date {formatDate(effectiveFrom)} on.
      </p>
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings before you sign">
          {warnings.map(each => (
            <li key={each}>{asSentence(each)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function SeriesName({ name, id }: { readonly name: string; readonly id: string | null }) {
  const { slug: ws } = useWorkspace()
  if (id === null) return <>{name}</>
  return (
    <TextLink to="/w/$ws/series/$id" params={{ ws, id }}>
      {name}
    </TextLink>
  )
}

export function SpliceParts({ page, body }: SpliceProps) {
  const { evidence, effect, alternatives } = body
  return (
    <>
      <Section title="Both series, before and after joining">
        <LinesChart page={page} body={body} />
        <Method body={body} />
      </Section>
      {evidence.overlap.length > 0 && (
        <Section title="The ratio">
          <RatioChart body={body} />
          <Closeness body={body} />
        </Section>
      )}
      <Section title="Effect">
        <EffectTable effect={effect} />
        <Signed signed={effect.signed} />
      </Section>
      {evidence.overlap.length > 0 && (
        <Section title="Evidence">
          <Evidence body={body} />
        </Section>
      )}
      {alternatives.length > 0 && (
        <Section title="Alternatives">
          <Alternatives alternatives={alternatives} />
        </Section>
      )}
    </>
  )
}

function Method({
  body: { method, window, inputs, join, coefficient, old, new: successor },
}: Pick<SpliceProps, 'body'>) {
  return (
    <Facts
      isSmall
      facts={[
        { label: 'Method', value: methodWords[method].name, note: methodWords[method].meaning },
        ...(window === null
          ? []
          : [
              {
                label: 'Window',
                value: window.from === window.until ? window.from : `${window.from} to ${window.until}`,
              },
            ]),
        ...(coefficient?.source == null ? [] : [{ label: 'Published by', value: coefficient.source }]),
        { label: 'Last period of the old series', value: join },
        { label: inputs.length === 1 ? 'Input' : 'Inputs', value: inputs.join(', ') },
        { label: 'Units', value: old.unit === successor.unit ? old.unit : `${old.unit} → ${successor.unit}` },
      ].filter(({ value }) => value !== '')}
    />
  )
}

function Closeness({ body: { evidence } }: Pick<SpliceProps, 'body'>) {
  const { spreadPct, correlation, differencePct, worst } = evidence
  return (
    <Facts
      isSmall
      facts={[
        {
          label: 'Spread',
          value: spreadPct === null ? '–' : `${spreadPct} %`,
          note: 'largest ratio ÷ smallest − 1',
        },
        { label: 'Correlation of the changes', value: correlation ?? '–' },
        { label: 'Mean difference on one level', value: differencePct === null ? '–' : `${differencePct} %` },
        { label: 'Largest difference', value: worst ?? '–' },
      ]}
    />
  )
}

function Signed({ signed }: { readonly signed: SpliceBody['effect']['signed'] }) {
  if (signed.length === 0) return <p className="soft">No date is signed by both yet, so no signed number changes.</p>
  const [first, last] = [signed[0]!, signed.at(-1)!]
  return (
    <details className={classes.details}>
      <summary>
        {countOf(signed.length, 'date')} signed by both, {first.period}
        {first === last ? '' : ` to ${last.period}`}: unchanged
      </summary>
      <DataTable
        label="Signed dates, unchanged"
        rows={signed}
        keyOf={({ period }) => period}
        columns={[
          { head: 'Period', isRowHead: true, cell: ({ period }) => period },
          { head: 'Date', className: 'figures', cell: ({ adjustmentDate }) => formatDate(adjustmentDate) },
          { head: 'Factor', isRight: true, className: 'figures', cell: ({ factor }) => formatExact(factor) },
        ]}
      />
    </details>
  )
}

function Evidence({ body: { evidence, old, new: successor, window } }: Pick<SpliceProps, 'body'>) {
  const values = (list: readonly { readonly value: string }[]) => list.map(({ value }) => value).join(', ')
  return (
    <>
      <DataTable
        label="Evidence"
        rows={evidence.overlap}
        keyOf={({ period }) => period}
        columns={[
          { head: 'Period', isRowHead: true, isMain: true, cell: ({ period }) => period },
          {
            head: `Old: ${old.series}`,
            isRight: true,
            narrow: 'label',
            className: 'figures',
            cell: each => values(each.old),
          },
          {
            head: `New: ${successor.series}`,
            isRight: true,
            narrow: 'label',
            className: 'figures',
            cell: each => values(each.new),
          },
          {
            head: 'New ÷ old',
            isRight: true,
            narrow: 'label',
            className: 'figures',
            cell: ({ ratio }) => <span title={ratio}>{formatExact(ratio)}</span>,
          },
          {
            head: 'Published',
            narrow: 'label',
            className: 'figures',
            cell: each => {
              const days = [...each.old, ...each.new].map(({ published }) => published.slice(0, 10)).sort()
              return formatDate(days.at(-1)!)
            },
          },
        ]}
      />
      {window !== null && window.leftOut.length > 0 && (
        <p className="soft">Left out: {window.leftOut.map(({ period, why }) => `${period} (${why})`).join('; ')}.</p>
      )}
      <p className="soft">
        Hash of this list: <span className="mono">{evidence.hash.slice(0, 16)}…</span> Later revisions of these values
        do not move an agreed coefficient.
      </p>
    </>
  )
}

function Alternatives({ alternatives }: Pick<SpliceBody, 'alternatives'>) {
  return (
    <DataTable
      label="Alternatives"
      rows={alternatives}
      keyOf={({ series }) => series}
      columns={[
        {
          head: 'Series',
          isRowHead: true,
          isMain: true,
          cell: ({ name, series }) => (
            <>
              {name}
              <span className="under mono">{series}</span>
            </>
          ),
        },
        { head: 'Reason', narrow: 'line', cell: ({ why }) => why },
        {
          head: 'Common periods',
          narrow: 'label',
          className: 'figures',
          cell: ({ common }) => common?.replace('..', ' to ') ?? 'none',
        },
        {
          head: 'Spread, %',
          isRight: true,
          narrow: 'label',
          className: 'figures',
          cell: ({ spreadPct }) => spreadPct ?? '–',
        },
        {
          head: 'Correlation',
          isRight: true,
          narrow: 'label',
          className: 'figures',
          cell: ({ correlation }) => correlation ?? '–',
        },
      ]}
    />
  )
}
