// Figures, changes, tags and states as they appear in text and tables. Colour is never the only signal.
import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import type { VersionTag } from '../../../src/views/shapes/series.ts'
import { IconAlert, IconCheck, IconClock } from '../page/icons.tsx'
import { formatAgo, formatFigure, formatInstant, formatMoney, formatPct } from '../words/words.ts'
import classes from './figures.module.css'
import type { StateKind } from './state-kind.ts'

export function Figure({ value }: { readonly value: string }) {
  return <span className="figures">{formatFigure(value)}</span>
}

export function Change({ pct }: { readonly pct: string | null }) {
  return <span className="figures">{formatPct(pct)}</span>
}

interface MoneyProps {
  readonly amount: string
  readonly currency: string | null | undefined
  /** Unit of the price: `piece`. */
  readonly unit?: string | null | undefined
}

export function Money({ amount, currency, unit = null }: MoneyProps) {
  return (
    <span className="figures">
      {formatMoney(amount, currency)}
      {unit && <span className="soft unit">{`\u202f/\u202f${unit}`}</span>}
    </span>
  )
}

const tagMeaning: Readonly<Record<VersionTag, string>> = {
  PRELIMINARY: 'The provider marks this value as preliminary',
  FINAL: 'The first value not marked as preliminary',
  REVISED: 'A value that changed after it was final',
}

/** `isMany`: one of very many on a page. The meaning is then a native `title`, which costs nothing. */
export function Tag({ tag, isMany = false }: { readonly tag: VersionTag; readonly isMany?: boolean }) {
  const words = (
    <span className={classes.tag} data-tag={tag} title={isMany ? tagMeaning[tag] : undefined}>
      {tag.toLowerCase()}
    </span>
  )
  return isMany ? words : <Tooltip label={tagMeaning[tag]}>{words}</Tooltip>
}

/** A state with its icon and text: signed, waiting, trouble. */
export function State({ kind, children }: { readonly kind: StateKind; readonly children: ReactNode }) {
  const icon = { good: <IconCheck />, waiting: <IconClock />, trouble: <IconAlert />, plain: null }[kind]
  return (
    <span className={classes.state} data-kind={kind}>
      {icon}
      {children}
    </span>
  )
}

/** Time since then, with the exact time on hover. */
export function Ago({ at }: { readonly at: string }) {
  return (
    <Tooltip label={formatInstant(at)}>
      <time dateTime={at} className="figures">
        {formatAgo(at, Date.now())}
      </time>
    </Tooltip>
  )
}
