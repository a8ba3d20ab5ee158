// Right side of the builder: the effect of the document on the price over the whole history, updated at once.
import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { Preview } from '../../../../../src/views/shapes/agreements.ts'
import type { ProblemView } from '../../../../../src/views/shapes/session.ts'
import { IconAlert, IconInfo } from '../../../../components/page/icons.tsx'
import { LoadingRows, Trouble } from '../../../../components/page/page.tsx'
import { countOf, formatMoney, formatPct } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { openDocument, textAt } from '../document/document.ts'
import { keyed } from '../problems.ts'
import { type EntryPair, pairEntries } from './entry-rows.ts'
import { FactorChart } from './factor-chart.tsx'
import { formatNumbersInWords, hasChoice, type Numbers, numbersOf } from './numbers.ts'
import { ResultTable } from './result-table.tsx'
import type { LivePreview } from './use-preview.ts'

interface ResultProps {
  readonly live: LivePreview
  /** Goes to the field or the line a problem belongs to. */
  readonly onGo: (problem: ProblemView) => void
  readonly above: ReactNode
}

export function Result({ live, onGo, above }: ResultProps) {
  const { problems, warnings } = useBuilder()
  const { failure, again, isPending } = live
  const { currency, unit, start } = useContract(live)
  const [numbers, setNumbers] = useState<Numbers>('in-force')
  const lastGood = useMemo(
    () => (live.lastGood === null ? null : numbersOf(live.lastGood, numbers)),
    [live.lastGood, numbers],
  )
  const isOld = lastGood !== null && (problems.length > 0 || failure !== null)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself and must be reachable by keyboard.
    <section className={classes.result} id="result" aria-labelledby="part-result" tabIndex={0}>
      {above}
      <h2 id="part-result" className={classes.partHead}>
        <span>Result</span>
        <span className={classes.busy} aria-hidden="true" data-on={isPending}>
          computing
        </span>
      </h2>
      {live.lastGood !== null && hasChoice(live.lastGood) && (
        <div className={classes.numbers}>
          <SegmentedControl
            size="xs"
            aria-label="Which numbers"
            data={[
              { value: 'in-force', label: 'In force' },
              { value: 'history', label: 'Whole history' },
            ]}
            value={numbers}
            onChange={value => setNumbers(value as Numbers)}
          />
          <span className="soft">{formatNumbersInWords(live.lastGood, numbers)}</span>
        </div>
      )}
      <Summary preview={lastGood} currency={currency} />
      {failure !== null && <Trouble error={failure} retry={again} />}
      <div className={classes.figureSide} data-old={isOld}>
        {lastGood === null ? (
          isPending || problems.length === 0 ? (
            <Skeleton height={220} radius={4} />
          ) : (
            <p className={classes.quiet}>The numbers appear here once the document has no problems.</p>
          )
        ) : (
          <FactorChart
            entries={lastGood.entries}
            before={isSame(lastGood) ? none : lastGood.before}
            start={start}
            currency={currency}
          />
        )}
      </div>
      <ProblemList problems={problems} warnings={warnings} onGo={onGo} />
      {isOld && <p className={classes.quiet}>The numbers below are those from before the last change.</p>}
      {lastGood === null ? (
        isPending && <LoadingRows rows={5} />
      ) : (
        <ResultTable rows={pairEntries(lastGood)} currency={currency} unit={unit} />
      )}
    </section>
  )
}

const none: Preview['before'] = []

/** The contract of the document that the numbers belong to, which may be older than the text being typed. */
function useContract({ goodText }: LivePreview) {
  return useMemo(() => {
    const { root } = openDocument(goodText)
    const start = textAt(root, ['contract', 'start'])
    const [currency, unit] = ['currency', 'unit'].map(key => textAt(root, ['contract', 'price', key]))
    return { currency: currency!, unit: unit!, start: start === '' ? null : start }
  }, [goodText])
}

function isSame(preview: Preview): boolean {
  return !pairEntries(preview).some(({ isChanged }) => isChanged)
}

/** The state in one sentence; announced by screen readers when it changes. */
function Summary({ preview, currency }: { readonly preview: Preview | null; readonly currency: string }) {
  const { problems, warnings } = useBuilder()
  return (
    <p className={classes.summary} aria-live="polite">
      {formatResultInWords(preview, problems.length, warnings.length, currency)}
    </p>
  )
}

function formatResultInWords(preview: Preview | null, problems: number, warnings: number, currency: string): string {
  const wrong = problems === 0 ? '' : `${countOf(problems, 'problem')} to fix. `
  if (preview === null) return wrong === '' ? 'Being computed.' : wrong.trim()
  const old = problems === 0 ? '' : 'Before the last change: '
  const rows = pairEntries(preview)
  const newest = rows.find(({ after }) => after !== null)?.after
  if (newest === undefined || newest === null) {
    const why = preview.blocked.length > 0 ? `Every period is blocked: ${preview.blocked[0]!.reason}` : 'No period yet'
    return `${wrong}${old}${why}.`
  }
  const price = newest.price === null ? '' : `, price ${formatMoney(newest.price, currency)}`
  const changed = rows.filter(({ isChanged }) => isChanged).length
  return [
    `${wrong}${old}${newest.period} moves the price by ${formatPct(newest.adjustmentPct)}${price}; ${formatPct(newest.cumulativePct)} since the start.`,
    preview.before.length === 0
      ? ''
      : changed === 0
        ? 'As saved.'
        : `${countOf(changed, 'period')} different from the saved version.`,
    preview.blocked.length === 0 ? '' : `${countOf(preview.blocked.length, 'period')} blocked.`,
    warnings === 0 ? '' : `${countOf(warnings, 'warning')}.`,
  ]
    .filter(words => words !== '')
    .join(' ')
}

function ProblemList({
  problems,
  warnings,
  onGo,
}: {
  readonly problems: readonly ProblemView[]
  readonly warnings: readonly ProblemView[]
  readonly onGo: (problem: ProblemView) => void
}) {
  const { placeName } = useBuilder()
  if (problems.length + warnings.length === 0) return null
  const list = (items: readonly ProblemView[], kind: 'problem' | 'warning') =>
    keyed(items, ({ path, message }) => `${kind} ${path} ${message}`).map(([id, problem]) => (
      <li key={id} data-kind={kind}>
        <span className={classes.noteSign}>{kind === 'problem' ? <IconAlert /> : <IconInfo />}</span>
        <span>
          {problem.path !== '' && (
            <button type="button" className={classes.placeButton} onClick={() => onGo(problem)}>
              {placeName(problem.path)}
            </button>
          )}{' '}
          {problem.message}
          {problem.path === '' && problem.line !== null && (
            <Button size="compact-xs" variant="subtle" onClick={() => onGo(problem)}>
              Line {problem.line}
            </Button>
          )}
        </span>
      </li>
    ))
  return (
    <div className={classes.problemList}>
      <h3 className={classes.subHead}>
        {[
          problems.length === 0 ? '' : countOf(problems.length, 'problem'),
          warnings.length === 0 ? '' : countOf(warnings.length, 'warning'),
        ]
          .filter(words => words !== '')
          .join(', ')}
      </h3>
      <ul className={classes.notes}>
        {list(problems, 'problem')}
        {list(warnings, 'warning')}
      </ul>
    </div>
  )
}

/** Line that stays visible on narrow screens, where the result is further down the page. */
export function StickySummary({ live }: { readonly live: LivePreview }) {
  const { problems } = useBuilder()
  const { currency } = useContract(live)
  const newest = live.lastGood === null ? null : newestOf(pairEntries(numbersOf(live.lastGood, 'in-force')))
  return (
    <a href="#result" className={classes.sticky}>
      <span className="figures">
        {newest === null
          ? 'No number yet'
          : `${newest.period}: ${formatPct(newest.adjustmentPct)}${newest.price === null ? '' : `, ${formatMoney(newest.price, currency)}`}`}
      </span>
      <span className={problems.length > 0 ? classes.stickyWrong : classes.stickyGo}>
        {problems.length > 0 ? countOf(problems.length, 'problem') : 'See the result'}
      </span>
    </a>
  )
}

function newestOf(rows: readonly EntryPair[]) {
  return rows.find(({ after }) => after !== null)?.after ?? null
}
