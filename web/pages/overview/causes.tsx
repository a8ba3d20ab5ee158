// New and revised figures, grouped by arrival, each with its effect: the number of contracts it moved, and their old and new
// values.

import { Button } from '@mantine/core'
import { useState } from 'react'
import type { MovedContract, Overview } from '../../../src/views/shapes/overview.ts'
import { Ago, Money, Tag } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatPublishedWords } from '../../components/words/publication-words.ts'
import { countOf, formatCount, formatFigure, formatPct, formatSigned } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { type Cause, groupByCause } from './cause-groups.ts'
import classes from './overview.module.css'

export function Causes({ overview }: { readonly overview: Overview }) {
  const causes = groupByCause(overview)
  return (
    <Section title="Changed figures and their effect">
      {causes.length === 0 ? (
        <p className="soft">No figure that an agreement reads was added or changed in the last 30 days.</p>
      ) : (
        <ol className={classes.causes}>
          {causes.map(cause => (
            <CauseRow key={cause.recordedAt} cause={cause} isKnown={overview.pending === 0} />
          ))}
        </ol>
      )}
    </Section>
  )
}

/** Figures listed by name before the rest is only counted. */
const namedFigures = 3

function CauseRow({ cause, isKnown }: { readonly cause: Cause; readonly isKnown: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { figures, effect, recordedAt } = cause
  return (
    <li className={classes.cause}>
      <div className={classes.figures}>
        {figures.slice(0, isOpen ? undefined : namedFigures).map(figure => (
          <Figure key={`${figure.seriesId} ${figure.period}`} figure={figure} />
        ))}
        {!isOpen && figures.length > namedFigures && (
          <p className="soft">and {countOf(figures.length - namedFigures, 'more figure')} published with it</p>
        )}
      </div>
      <div className={classes.effect}>
        <p>
          <Effect cause={cause} isKnown={isKnown} />{' '}
          {(effect !== null || figures.length > namedFigures) && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              aria-label={`${isOpen ? 'Hide' : 'Show'} the effect of ${figures[0]!.name} ${figures[0]!.period}`}
            >
              {isOpen ? 'Hide' : 'Show'}
            </Button>
          )}
        </p>
        <p className="soft">
          <Ago at={recordedAt} />
          <Readers cause={cause} />
        </p>
      </div>
      {isOpen && effect !== null && <MovedTable cause={cause} />}
    </li>
  )
}

/** `Steel 2026-05 was 357.108, now 349.020` */
function Figure({ figure }: { readonly figure: Cause['figures'][number] }) {
  const { slug } = useWorkspace()
  const { seriesId, name, period, before, value, tag } = figure
  const now = value === null ? 'withdrawn' : formatFigure(value)
  return (
    <p>
      <TextLink className="in-text" to="/w/$ws/series/$id" params={{ ws: slug, id: seriesId }} search={{ period }}>
        {name}
      </TextLink>{' '}
      <span className="figures">
        {period} {before === null ? `new: ${now}` : `was ${formatFigure(before)}, now ${now}`}
      </span>{' '}
      {tag !== null && tag !== 'FINAL' && <Tag tag={tag} />}{' '}
      <span className="soft">{formatPublishedWords(figure)}</span>
    </p>
  )
}

/** `12 contracts: Steel brackets 2026-Q3 from +2.16 % to 0 %` */
function Effect({ cause: { effect }, isKnown }: { readonly cause: Cause; readonly isKnown: boolean }) {
  const first = effect?.contracts[0]
  if (effect === null || first === undefined)
    return <span className="soft">{isKnown ? 'No open number changed.' : 'The effect is being computed.'}</span>
  return (
    <>
      → <strong>{effect.moved === 1 ? '1 agreement' : `${formatCount(effect.moved)} agreements`}</strong>
      {effect.moved > 1 ? ', most of all ' : ': '}
      <MovedName contract={first} /> <span className="figures">{formatMove(first)}</span>
    </>
  )
}

function Readers({ cause: { figures } }: { readonly cause: Cause }) {
  const { slug } = useWorkspace()
  const { seriesId, agreements: readers, moreAgreements } = figures[0]!
  const count = readers.length + moreAgreements
  // Several series have their own readers each.
  if (count === 0 || figures.some(each => each.seriesId !== seriesId)) return null
  return (
    <>
      {', read by '}
      <TextLink className="in-text" to="/w/$ws/agreements" params={{ ws: slug }} search={{ series: seriesId }}>
        {count === 1 ? readers[0]!.name : `${formatCount(count)} agreements`}
      </TextLink>
    </>
  )
}

function MovedName({ contract: { slug: agreement, name, period } }: { readonly contract: MovedContract }) {
  const { slug } = useWorkspace()
  return (
    <TextLink
      className="in-text"
      to="/w/$ws/agreements/$slug/periods/$period"
      params={{ ws: slug, slug: agreement, period }}
    >
      {name} <span className="figures">{period}</span>
    </TextLink>
  )
}

/** `from +2.16 % to 0 %` */
function formatMove({ before, after }: MovedContract): string {
  return before === null
    ? `now ${formatPct(after.adjustmentPct)}`
    : `from ${formatPct(before.adjustmentPct)} to ${formatPct(after.adjustmentPct)}`
}

function MovedTable({ cause: { effect, figures } }: { readonly cause: Cause }) {
  const { slug } = useWorkspace()
  const { contracts, moved } = effect!
  const price = (side: MovedContract['after'] | null, { currency, unit }: MovedContract) =>
    side?.price == null ? '' : <Money amount={side.price} currency={currency} unit={unit} />
  const figure = (side: MovedContract['after'] | null) => (side === null ? null : formatSigned(side.adjustmentPct))
  return (
    <div className={classes.moved}>
      <DataTable
        label="Numbers that changed"
        rows={contracts}
        keyOf={contract => contract.slug}
        columns={[
          {
            head: 'Agreement',
            cell: contract => (
              <>
                <MovedName contract={contract} />
                {contract.morePeriods > 0 && (
                  <span className="soft"> and {countOf(contract.morePeriods, 'more period')}</span>
                )}
              </>
            ),
          },
          {
            head: 'Before, %',
            figure: contract => figure(contract.before),
            cell: (contract, text) => (contract.before === null ? 'no number' : text),
          },
          { head: 'Now, %', figure: contract => figure(contract.after) },
          {
            head: 'Price before',
            isRight: true,
            narrow: 'label',
            cell: contract => price(contract.before, contract),
          },
          { head: 'Price now', isRight: true, narrow: 'label', cell: contract => price(contract.after, contract) },
        ]}
      />
      {moved > contracts.length && (
        <p className="soft">
          And {formatCount(moved - contracts.length)} more with a smaller difference:{' '}
          <TextLink
            className="in-text"
            to="/w/$ws/agreements"
            params={{ ws: slug }}
            search={{ series: figures[0]!.seriesId }}
          >
            all agreements that read {figures[0]!.name}
          </TextLink>
          .
        </p>
      )}
    </div>
  )
}
