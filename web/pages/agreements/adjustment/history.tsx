// Every number proposed for a period, newest first: the time, the number, and the reason. Each links to the page as it stood
// then.

import type { MovedFigureView } from '../../../../src/views/shapes/causes.ts'
import type { ProposalEvent, ProposedEvent } from '../../../../src/views/shapes/history.ts'
import { useHistory } from '../../../components/agreements/queries.ts'
import { State } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Section } from '../../../components/page/page.tsx'
import { formatOrigin } from '../../../components/words/origin-words.ts'
import { formatMoneyChange, formatPoints } from '../../../components/words/price-words.ts'
import { formatPublishedWords } from '../../../components/words/publication-words.ts'
import {
  asSentence,
  countOf,
  formatFigure,
  formatInstant,
  formatMoney,
  formatPct,
} from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './history.module.css'

interface HistoryProps {
  readonly slug: string
  readonly period: string
  readonly currency: string | null | undefined
  /** The moment that is shown; undefined for today. */
  readonly knownAt: string | undefined
}

export function History({ slug, period, currency, knownAt }: HistoryProps) {
  const { data } = useHistory(slug, period)
  if (data === undefined || data.events.length === 0) return null
  const newest = data.events.find(({ kind }) => kind === 'proposed')
  return (
    <Section title="How the number came about">
      <ol className={classes.timeline} aria-label="Every number that was proposed">
        {data.events.map(event => (
          <li
            key={`${event.at} ${event.kind} ${event.kind === 'signed' ? event.party : ''}`}
            data-kind={event.kind}
            data-shown={knownAt === event.at || undefined}
          >
            <span className={classes.when}>
              {event.kind === 'proposed' && event !== newest ? (
                <Then slug={slug} period={period} at={event.at} />
              ) : (
                formatInstant(event.at)
              )}
            </span>
            <Event event={event} slug={slug} currency={currency} />
          </li>
        ))}
      </ol>
      {data.isCut && (
        <p className="soft">Earlier numbers are left out because there are too many entries in between.</p>
      )}
    </Section>
  )
}

function Then({ slug, period, at }: { readonly slug: string; readonly period: string; readonly at: string }) {
  const { slug: ws } = useWorkspace()
  return (
    <TextLink
      to="/w/$ws/agreements/$slug/periods/$period"
      params={{ ws, slug, period }}
      search={{ knownAt: at, asOf: undefined }}
    >
      {formatInstant(at)}
    </TextLink>
  )
}

interface EventProps {
  readonly event: ProposalEvent
  readonly slug: string
  readonly currency: string | null | undefined
}

function Event({ event, slug, currency }: EventProps) {
  if (event.kind === 'setting') return <span className="soft">{event.words}</span>
  if (event.kind === 'signed')
    return (
      <span>
        <State kind="good">signed</State> {formatPct(event.adjustmentPct)} for the {event.party} by {event.name}
      </span>
    )
  const { number, whyNot, points, money } = event
  return (
    <div>
      {number === null ? (
        <State kind="trouble">no number</State>
      ) : (
        <>
          <strong className="figures">{formatPct(number.adjustmentPct)}</strong>
          {number.price !== null && <span className="figures">, {formatMoney(number.price, currency)}</span>}
          {points !== null && (
            <span className="soft figures">
              {' '}
              ({formatPoints(points)}
              {money !== null && `, ${formatMoneyChange(money, currency)}`})
            </span>
          )}
        </>
      )}
      {number === null && whyNot !== null && <p className={classes.cause}>{asSentence(whyNot)}</p>}
      <Causes event={event} slug={slug} />
    </div>
  )
}

/** Why the number was proposed, one cause per line. */
export function Causes({ event: { causes, number }, slug }: { readonly event: ProposedEvent; readonly slug: string }) {
  const { slug: ws } = useWorkspace()
  const { isDate, figures, moreFigures, versions, signed } = causes
  const isUnexplained = !isDate && figures.length + versions.length + signed.length === 0
  return (
    <>
      {isDate && <p className={classes.cause}>The adjustment date was reached.</p>}
      {versions.map(({ version, createdBy }) => (
        <p key={version} className={classes.cause}>
          <TextLink className="in-text" to="/w/$ws/agreements/$slug/versions" params={{ ws, slug }}>
            Formula version {version.toString()}
          </TextLink>
          , saved by {createdBy}.
        </p>
      ))}
      {figures.map(figure => (
        <p key={`${figure.reference} ${figure.period}`} className={classes.cause}>
          <Figure figure={figure} />
        </p>
      ))}
      {moreFigures > 0 && (
        <p className={classes.cause}>{countOf(moreFigures, 'more figure')} published at the same moment.</p>
      )}
      {signed.length > 0 && (
        <p className={classes.cause}>
          {signed.join(', ')} {signed.length === 1 ? 'was' : 'were'} signed by both sides; this number continues from
          there.
        </p>
      )}
      {isUnexplained && number !== null && <p className={classes.cause}>The formula took effect.</p>}
    </>
  )
}

function Figure({ figure }: { readonly figure: MovedFigureView }) {
  const { slug: ws } = useWorkspace()
  const { name, seriesId, period, before, after, tag, origin } = figure
  return (
    <>
      {seriesId === null ? (
        name
      ) : (
        <TextLink className="in-text" to="/w/$ws/series/$id" params={{ ws, id: seriesId }} search={{ period }}>
          {name}
        </TextLink>
      )}
      , {period}: {before === null ? 'new' : formatFigure(before)} →{' '}
      {after === null ? 'withdrawn' : formatFigure(after)}
      {tag !== null && ` (${tag.toLowerCase()})`}, {formatPublishedWords(figure)}
      {origin !== null && `, ${formatOrigin(origin)}`}.
    </>
  )
}
