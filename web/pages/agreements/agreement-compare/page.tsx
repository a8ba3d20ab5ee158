// The clause under other readings: the price by each, side by side with the clause as written.

import { Checkbox } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { AgreementComparison, AgreementListRow, ReadingVariant } from '../../../../src/views/shapes/agreements.ts'
import { NotThere } from '../../../components/agreements/missing-agreement.tsx'
import { useAgreement, useComparison } from '../../../components/agreements/queries.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { Money } from '../../../components/figures/figures.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { Empty, LoadingPage, LoadingRows, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatMoneyChange, formatPoints } from '../../../components/words/price-words.ts'
import { formatMoney, formatPct, formatSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './compare.module.css'
import { colourCount, compareChart } from './compare-chart.ts'
import { ReadingTable } from './reading-table.tsx'
import { chosenReadings } from './readings.ts'

export function AgreementComparePage() {
  const { slug: ws } = useWorkspace()
  const { slug = '' } = useParams({ strict: false })
  const page = useAgreement(slug)
  const comparison = useComparison(slug, page.data?.documentText)
  if (page.data === undefined)
    return page.error === null ? (
      <LoadingPage />
    ) : (
      <NotThere slug={slug} error={page.error} retry={() => void page.refetch()} />
    )
  const { name, price } = page.data.agreement
  return (
    <>
      <PageHead
        title="Compare readings"
        crumbs={[
          { label: 'Agreements', to: '/w/$ws/agreements', params: { ws } },
          { label: name, to: '/w/$ws/agreements/$slug', params: { ws, slug } },
        ]}
        under="The clause as another person might read it. Every reading is computed from the newest document over the whole history, without signatures."
      />
      {comparison.error !== null && <Trouble error={comparison.error} retry={() => void comparison.refetch()} />}
      {comparison.data === undefined ? (
        comparison.error === null && <LoadingRows rows={10} />
      ) : (
        <Readings comparison={comparison.data} price={price} />
      )}
    </>
  )
}

function Readings({
  comparison,
  price,
}: {
  readonly comparison: AgreementComparison
  readonly price: AgreementListRow['price']
}) {
  const [search, change] = useAddress()
  const { readings, problems } = comparison
  const chosen = useMemo(() => chosenReadings(readings, search.with), [readings, search.with])
  const today = new Date().toISOString().slice(0, 10)
  const option = useMemo(() => compareChart(chosen, today), [chosen, today])
  const [written] = readings
  if (written === undefined)
    return (
      <Empty title="The document cannot be computed">
        {problems.map(({ path, message }) => `${path} ${message}`).join('; ')}
      </Empty>
    )
  const toggle = (id: string) => {
    const ids = chosen.map(each => each.id)
    const next = ids.includes(id) ? ids.filter(each => each !== id) : [...ids, id]
    const others = next.filter(each => each !== written.id)
    change({ with: others.length === 0 ? 'none' : others.join(',') })
  }
  return (
    <>
      <Choice readings={readings} chosen={chosen} toggle={toggle} price={price} />
      {written.entries.length === 0 ? (
        <Empty title="There is no period to compare yet">
          {written.blocked[0] === undefined
            ? 'The first adjustment date has not come.'
            : `${written.blocked[0].period}: ${written.blocked[0].reason}`}
        </Empty>
      ) : (
        <>
          <Section title="Price factor">
            <Chart
              option={option}
              height={320}
              label="The price factor under the chosen readings, as in the table below"
            />
          </Section>
          <Section title="By period">
            <ReadingTable readings={chosen} price={price} />
          </Section>
        </>
      )}
    </>
  )
}

interface ChoiceProps {
  readonly readings: readonly ReadingVariant[]
  readonly chosen: readonly ReadingVariant[]
  readonly toggle: (id: string) => void
  readonly price: AgreementListRow['price']
}

function Choice({ readings, chosen, toggle, price }: ChoiceProps) {
  const [written] = readings
  // A reading that does not apply has no numbers; another may have none yet.
  const at = (reading: ReadingVariant) => (reading.notApplicable === null ? pick(reading) : undefined)
  return (
    <DataTable
      label="Readings"
      isTall
      rows={readings}
      keyOf={({ id }) => id}
      rowProps={({ notApplicable }) => ({ 'data-out': notApplicable !== null, className: classes.choice })}
      columns={[
        {
          head: 'Reading',
          className: classes.reading,
          cell: reading => (
            <ReadingName
              reading={reading}
              isWritten={reading === written}
              place={chosen.indexOf(reading)}
              toggle={() => toggle(reading.id)}
            />
          ),
        },
        {
          head: 'Period',
          narrow: reading => {
            const entry = at(reading)
            if (entry === undefined) return null
            const money = entry.price === null ? '' : `, ${formatMoney(entry.price, price?.currency)}`
            const effect = reading.effect === null ? '' : ` (${formatPoints(reading.effect.points)})`
            return `${entry.period}: ${formatPct(entry.cumulativePct)}${money}${effect}`
          },
          className: 'figures',
          cell: reading => at(reading)?.period,
        },
        {
          head: 'Since start, %',
          narrow: 'drop',
          figure: reading => {
            const entry = at(reading)
            return entry === undefined ? null : formatSigned(entry.cumulativePct)
          },
        },
        {
          head: 'Price',
          isRight: true,
          narrow: 'drop',
          cell: reading => {
            const amount = at(reading)?.price ?? null
            return amount !== null && <Money amount={amount} currency={price?.currency} unit={price?.unit} />
          },
        },
        {
          head: 'Effect since start',
          isRight: true,
          narrow: 'drop',
          cell: reading => reading.effect !== null && reading !== written && formatPoints(reading.effect.points),
        },
        {
          head: 'Effect in money',
          isRight: true,
          narrow: 'drop',
          cell: reading =>
            reading.effect?.money != null &&
            reading !== written &&
            formatMoneyChange(reading.effect.money, price?.currency),
        },
      ]}
    />
  )
}

/** The newest period that is compared. */
function pick({ entries, effect }: ReadingVariant) {
  return entries.findLast(({ period }) => effect === null || period === effect.period)
}

interface ReadingNameProps {
  readonly reading: ReadingVariant
  readonly isWritten: boolean
  /** Index among the lines of the chart; −1 if it is not drawn. */
  readonly place: number
  readonly toggle: () => void
}

function ReadingName({ reading, isWritten, place, toggle }: ReadingNameProps) {
  const { title, words, notApplicable, blocked } = reading
  const isOut = notApplicable !== null
  if (isWritten)
    return (
      <>
        <strong>{title}</strong>
        <Swatch place={place} />
        <span className={classes.words}>{words}</span>
      </>
    )
  return (
    <>
      <Checkbox
        checked={place >= 0}
        disabled={isOut}
        onChange={toggle}
        label={
          <>
            {title} <Swatch place={place} />
          </>
        }
        description={isOut ? `Does not apply: ${notApplicable}` : words}
        classNames={{ description: classes.words ?? '', label: classes.title ?? '' }}
      />
      {!isOut && pick(reading) === undefined && (
        <span className="under">
          {blocked[0] === undefined ? 'No period yet' : `${blocked[0].period}: ${blocked[0].reason}`}
        </span>
      )}
    </>
  )
}

/** Marks the line of this reading in the chart below. */
function Swatch({ place }: { readonly place: number }) {
  return place < 0 ? null : <span className={classes.swatch} data-colour={place % colourCount} aria-hidden="true" />
}
