// State of the portfolio above everything else: signatures that wait for the person, late figures, money owed by corrections, and
// money moved by adjustments. While agreements are being computed it is grey, as it was last known.

import type { ReactNode } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { Overview } from '../../../src/views/shapes/overview.ts'
import type { Portfolio } from '../../../src/views/shapes/portfolio.ts'
import { State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { countOf, formatCount, formatMoney, formatPct, formatSigned } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './standing.module.css'

export function Standing({ overview }: { readonly overview: Overview }) {
  const { portfolio, pending } = overview
  if (portfolio === null) return null
  const isKnown = pending === 0
  return (
    <section className={classes.standing} aria-label="State of the agreements" data-is-known={isKnown}>
      <Waits overview={overview} isKnown={isKnown} />
      <Late portfolio={portfolio} isKnown={isKnown} />
      <Owed portfolio={portfolio} isKnown={isKnown} />
      <Moved portfolio={portfolio} isKnown={isKnown} />
    </section>
  )
}

interface TileProps {
  readonly title: string
  readonly isKnown: boolean
  readonly children: ReactNode
}

function Tile({ title, isKnown, children }: TileProps) {
  return (
    <div className={classes.tile}>
      <h2 className={classes.title}>
        {title}
        {!isKnown && <span className={classes.updating}>updating</span>}
      </h2>
      {children}
    </div>
  )
}

/** Line for a part without contents, which says so only when that is known. */
function Nothing({ isKnown, children }: { readonly isKnown: boolean; readonly children: ReactNode }) {
  return <p className={classes.line}>{isKnown ? children : '–'}</p>
}

function Waits({ overview, isKnown }: { readonly overview: Overview; readonly isKnown: boolean }) {
  const { slug: ws } = useWorkspace()
  const { mine, others } = overview.waits
  const isMine = mine.periods + mine.corrections + mine.changes > 0
  const { periods, corrections, changes, agreements } = isMine ? mine : others
  const all = periods + corrections + changes
  const title = isMine || all === 0 ? 'Waiting for your signature' : 'Waiting for others'
  return (
    <Tile title={title} isKnown={isKnown}>
      {all === 0 ? (
        <Nothing isKnown={isKnown}>Nothing</Nothing>
      ) : (
        <>
          <p className={classes.figure}>
            <TextLink to="/w/$ws/sign-offs" params={{ ws }}>
              {formatCount(all)}
            </TextLink>
          </p>
          <p className={classes.line}>
            {[
              periods > 0 && countOf(periods, 'adjustment'),
              corrections > 0 && countOf(corrections, 'correction'),
              changes > 0 && `${countOf(changes, 'change')} of terms`,
            ]
              .filter(each => each !== false)
              .join(' and ')}{' '}
            of {countOf(agreements, 'agreement')}
          </p>
        </>
      )}
    </Tile>
  )
}

interface PartProps {
  readonly portfolio: Portfolio
  readonly isKnown: boolean
}

function Late({ portfolio: { late }, isKnown }: PartProps) {
  const { slug: ws } = useWorkspace()
  const { periods, mine, oldest, days, missing } = late
  return (
    <Tile title="Late" isKnown={isKnown}>
      {periods === 0 ? (
        missing === 0 && <Nothing isKnown={isKnown}>Nothing</Nothing>
      ) : (
        <>
          <p className={classes.figure}>
            <TextLink to="/w/$ws/sign-offs" params={{ ws }}>
              {formatCount(periods)}
            </TextLink>
          </p>
          <p className={classes.line}>
            unsigned {days} days after {periods === 1 ? 'its' : 'their'} date
            {mine > 0 && mine < periods && `, ${formatCount(mine)} by you`}
            {oldest !== null && `; the oldest is of ${formatDate(oldest)}`}
          </p>
        </>
      )}
      {missing > 0 && (
        <p className={classes.line}>
          <State kind="trouble">
            <TextLink to="/w/$ws/agreements" params={{ ws }} search={{ state: 'BLOCKED' }}>
              {countOf(missing, 'agreement')}
            </TextLink>
          </State>{' '}
          {missing === 1 ? 'is' : 'are'} held up by a late figure
        </p>
      )}
    </Tile>
  )
}

/** Owed money in both directions, from the reader's side. */
function Owed({ portfolio: { owed }, isKnown }: PartProps) {
  const { slug: ws, role } = useWorkspace()
  const isSupplier = role === 'supplier'
  const amounts = (key: 'toSupplier' | 'toBuyer') =>
    owed.filter(each => /[1-9]/.test(each[key])).map(each => formatMoney(each[key], each.currency))
  const directions = [
    { words: isSupplier ? 'to you' : 'to suppliers', amounts: amounts('toSupplier') },
    { words: isSupplier ? 'by you' : 'by suppliers', amounts: amounts('toBuyer') },
  ].filter(each => each.amounts.length > 0)
  return (
    <Tile title="Owed by corrections" isKnown={isKnown}>
      {directions.length === 0 ? (
        <Nothing isKnown={isKnown}>Nothing</Nothing>
      ) : (
        directions.map(({ words, amounts: own }) => (
          <p key={words} className={classes.money}>
            {own.map(amount => (
              <span key={amount} className="figures">
                {amount}
              </span>
            ))}
            <span className={classes.line}>
              <TextLink className="in-text" to="/w/$ws/ledgers" params={{ ws }}>
                {words}
              </TextLink>
            </span>
          </p>
        ))
      )}
    </Tile>
  )
}

function Moved({ portfolio: { totals, year, nextQuarter, without, notYet }, isKnown }: PartProps) {
  const next = totals.filter(each => /[1-9]/.test(each.nextQuarter))
  return (
    <Tile title="Moved by adjustments" isKnown={isKnown}>
      {totals.length > 0 && (
        <p className={classes.money}>
          {totals.map(({ currency, year: amount }) => (
            <span key={currency} className="figures">
              {formatMoney(formatSigned(amount), currency)}
            </span>
          ))}
          <span className={classes.line}>in {year}</span>
        </p>
      )}
      {totals.length === 0 && without !== null && without.yearPct !== null && (
        <p className={classes.money}>
          <span className="figures">{formatPct(without.yearPct)}</span>
          <span className={classes.line}>
            on average in {year}, {countOf(without.agreements, 'agreement')}: no quantities are known
          </span>
        </p>
      )}
      {totals.length === 0 && without?.yearPct == null && <Nothing isKnown={isKnown}>Nothing in {year}</Nothing>}
      {next.length > 0 ? (
        <p className={classes.line}>
          <span className="figures">
            {next.map(each => formatMoney(formatSigned(each.nextQuarter), each.currency)).join(', ')}
          </span>{' '}
          in {nextQuarter}
        </p>
      ) : (
        notYet > 0 && (
          <p className={classes.line}>
            {nextQuarter}: {countOf(notYet, 'date')} {notYet === 1 ? 'waits' : 'wait'} for figures
          </p>
        )
      )}
    </Tile>
  )
}
