// Number from today's figures beside a settled one, never instead of it, and why it differs, cause by cause. It is printed with
// the sheet.
import { formatDate } from '../../../../src/core/text/words.ts'
import type { Share } from '../../../../src/core/true-up/causes.ts'
import type { AdjustmentPage } from '../../../../src/views/shapes/agreements.ts'
import type { CausesView, ChangedFigureView } from '../../../../src/views/shapes/causes.ts'
import { isSameToday } from '../../../components/agreements/effects.ts'
import classes from '../../../components/calculation/sheet.module.css'
import { TextLink } from '../../../components/page/links.tsx'
import { formatOrigin } from '../../../components/words/origin-words.ts'
import { formatMoneyChange, formatPoints } from '../../../components/words/price-words.ts'
import { formatPublishedWords } from '../../../components/words/publication-words.ts'
import { countOf, formatFigure, formatMoney, formatPct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

export function Today({ page }: { readonly page: AdjustmentPage }) {
  const { agreement, entry, causes } = page
  if (entry.today === null) return null
  const { adjustmentPct, price, differencePoints, differenceMoney } = entry.today
  const currency = agreement.price?.currency
  return (
    <div className={classes.today}>
      {isSameToday(entry.today) ? (
        <p>
          <strong>With today’s figures it would be the same.</strong> Only the sum since the start would differ:{' '}
          {formatPct(entry.today.cumulativePct)}. The settled number stands.
        </p>
      ) : (
        <p>
          <strong>With today’s figures it would be {formatPct(adjustmentPct)}</strong>
          {price !== null && `, ${formatMoney(price, currency)}`}
          {differencePoints !== null && `: ${formatPoints(differencePoints)}`}
          {differenceMoney !== null && `, ${formatMoneyChange(differenceMoney, currency)}`}. The settled number stands.
        </p>
      )}
      {causes !== null && <Causes causes={causes} currency={currency} slug={agreement.slug} />}
    </div>
  )
}

interface CausesProps {
  readonly causes: CausesView
  readonly currency: string | undefined
  readonly slug: string
}

function Causes({ causes: { earlier, figures, more, versions }, currency, slug }: CausesProps) {
  const { slug: ws } = useWorkspace()
  return (
    <ul>
      {figures.map(figure => (
        <li key={`${figure.reference} ${figure.period}`}>
          <Figure figure={figure} /> <Explains share={figure} currency={currency} />
        </li>
      ))}
      {more !== null && (
        <li>
          {more.count > 0 ? `${countOf(more.count, 'more figure')} changed.` : 'All these figures together.'}{' '}
          <Explains share={more} currency={currency} />
        </li>
      )}
      {versions !== null && (
        <li>
          {versions.since.map(({ version, createdBy, recordedAt }, i) => (
            <span key={version}>
              {i > 0 && ', '}
              <TextLink className="in-text" to="/w/$ws/agreements/$slug/versions" params={{ ws, slug }}>
                formula version {version.toString()}
              </TextLink>
              {`, saved ${formatDate(recordedAt)} by ${createdBy}`}
            </span>
          ))}
          . <Explains share={versions} currency={currency} />
        </li>
      )}
      {earlier !== null && (
        <li>
          The settled number continues from earlier signed periods; this one is computed from figures alone.{' '}
          <Explains share={earlier} currency={currency} />
        </li>
      )}
    </ul>
  )
}

function Figure({ figure }: { readonly figure: ChangedFigureView }) {
  const { slug: ws } = useWorkspace()
  const { name, seriesId, period, before, after, origin } = figure
  return (
    <>
      {seriesId === null ? (
        name
      ) : (
        <TextLink className="in-text" to="/w/$ws/series/$id" params={{ ws, id: seriesId }}>
          {name}
        </TextLink>
      )}
      , {period}: {before === null ? 'none' : formatFigure(before)} →{' '}
      {after === null ? 'withdrawn' : formatFigure(after)}, {formatPublishedWords(figure)}
      {origin !== null && `, ${formatOrigin(origin)}`}.
    </>
  )
}

function Explains({
  share: { points, money },
  currency,
}: {
  readonly share: Share
  readonly currency: string | undefined
}) {
  if (points === null) return null
  return (
    <span className={classes.explains}>
      explains {formatPoints(points)}
      {money !== null && `, ${formatMoneyChange(money, currency)}`}
    </span>
  )
}
