// Output of commands about the series they asked providers for: one line or one record each, and problems on standard error.
import { formatPeriod } from '../../core/time/period.ts'
import { troubleWords } from '../../ingest/publish.ts'
import type { SeriesOutcome } from '../../ingest/run.ts'
import type { Terminal } from '../frame/command.ts'
import { countOf } from '../frame/progress.ts'

/** `BLS/CUUR0000SA0`, in its stored form if it is stored. */
export function referenceOf({ provider, code, series }: SeriesOutcome): string {
  return `${provider}/${series?.code ?? code}`
}

export function presentOutcome(outcome: SeriesOutcome) {
  const { kind } = outcome.outcome
  const { added, revised, withdrawn } =
    outcome.outcome.kind === 'changed' ? outcome.outcome : { added: 0, revised: 0, withdrawn: 0 }
  return {
    series: referenceOf(outcome),
    id: outcome.series?.id ?? null,
    outcome: kind,
    new: added,
    revised,
    withdrawn,
    trouble: troubleWords(outcome),
  }
}

/** `3 new, 1 revised`. */
export function changeWords({ outcome }: Pick<SeriesOutcome, 'outcome'>): string {
  if (outcome.kind === 'busy') return 'another run is asking for it'
  if (outcome.kind === 'quarantined') return `waits in the quarantine: ${outcome.reason}`
  if (outcome.kind === 'rejected') return `rejected: ${outcome.reason}`
  if (outcome.kind === 'failed') return 'failed'
  if (outcome.kind === 'unchanged') return 'nothing new'
  const { added, revised, withdrawn } = outcome
  const parts = [
    added > 0 ? `${added} new` : null,
    revised > 0 ? `${revised} revised` : null,
    withdrawn > 0 ? `${withdrawn} withdrawn` : null,
  ].filter(part => part !== null)
  return parts.join(', ')
}

export function newestWords({ series, newestPeriod }: SeriesOutcome): string {
  if (series === null || newestPeriod === null) return ''
  return `to ${formatPeriod({ frequency: series.frequency, ordinal: newestPeriod })}`
}

/** Writes one line for each trouble on standard error; returns whether any series could not be read. */
export function printTroubles(terminal: Terminal, outcomes: readonly SeriesOutcome[]): boolean {
  for (const outcome of outcomes) {
    const words = outcome.outcome.kind === 'busy' ? 'another run is asking for it' : troubleWords(outcome)
    if (words !== null) terminal.err(`assize: ${referenceOf(outcome)}: ${words}\n`)
  }
  return outcomes.some(({ outcome, problems }) => outcome.kind === 'failed' || problems.length > 0)
}

export function totalWords(outcomes: readonly SeriesOutcome[], asked: number): string {
  const sum = (pick: 'added' | 'revised' | 'withdrawn') =>
    outcomes.reduce((total, { outcome }) => total + (outcome.kind === 'changed' ? outcome[pick] : 0), 0)
  const counts = `${sum('added')} new, ${sum('revised')} revised, ${sum('withdrawn')} withdrawn`
  return `${countOf(outcomes.length, 'series', 'series')}, ${countOf(asked, 'request')}: ${counts}\n`
}
