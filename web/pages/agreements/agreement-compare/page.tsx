// The same clause under other readings: what each would do to the price, side by side with the clause as written.
import { Checkbox } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { FormulaComparison, FormulaRow, ReadingVariant } from '../../../../src/views/shapes/agreements.ts'
import { NotThere } from '../../../components/agreements/not-there.tsx'
import { useComparison, useFormula } from '../../../components/agreements/queries.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { Money } from '../../../components/figures/figures.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { Empty, LoadingPage, LoadingRows, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { writeMoneyChange, writePoints } from '../../../components/words/price-words.ts'
import { evenOut, writeMoney, writePct, writeSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './compare.module.css'
import { colourCount, compareChart } from './compare-chart.ts'
import { ReadingTable } from './reading-table.tsx'
import { chosenReadings } from './readings.ts'

export function FormulaComparePage() {
  const { slug: ws } = useWorkspace()
  const { slug = '' } = useParams({ strict: false })
  const formula = useFormula(slug)
  const comparison = useComparison(slug, formula.data?.documentText)
  if (formula.data === undefined)
    return formula.error === null ? (
      <LoadingPage />
    ) : (
      <NotThere slug={slug} error={formula.error} retry={() => void formula.refetch()} />
    )
  const { name, price } = formula.data.formula
  return (
    <>
      <PageHead
        title="Compare readings"
        crumbs={[
          { label: 'Formulas', to: '/w/$ws/formulas', params: { ws } },
          { label: name, to: '/w/$ws/formulas/$slug', params: { ws, slug } },
        ]}
        under="The same clause as somebody else might read it. All of it is computed from the newest document alone, over the whole history; what was signed is left out."
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
  readonly comparison: FormulaComparison
  readonly price: FormulaRow['price']
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
  readonly price: FormulaRow['price']
}

function Choice({ readings, chosen, toggle, price }: ChoiceProps) {
  const totals = evenOut(
    readings.map(reading => {
      const at = pick(reading)
      return at === undefined ? null : writeSigned(at.cumulativePct)
    }),
  )
  return (
    <ScrollX label="Readings">
      <table className={`ledger ${classes.choice}`}>
        <thead>
          <tr>
            <th scope="col">Reading</th>
            <th scope="col" className="on-wide">
              At
            </th>
            <th scope="col" className="right on-wide">
              Since start, %
            </th>
            <th scope="col" className="right on-wide">
              Price
            </th>
            <th scope="col" className="right on-wide">
              Effect on the total
            </th>
            <th scope="col" className="right on-wide">
              Effect in money
            </th>
          </tr>
        </thead>
        <tbody>
          {readings.map((reading, i) => (
            <ReadingRow
              key={reading.id}
              reading={reading}
              isWritten={i === 0}
              place={chosen.indexOf(reading)}
              toggle={() => toggle(reading.id)}
              price={price}
              total={totals[i]!}
            />
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}

interface ReadingRowProps {
  readonly reading: ReadingVariant
  readonly isWritten: boolean
  /** Its index among the lines of the chart; −1 if it is not drawn. */
  readonly place: number
  readonly toggle: () => void
  readonly price: FormulaRow['price']
  /** The change since the start, in percent, with as many decimals as the others. */
  readonly total: string
}

/** The newest period that is compared. */
function pick({ entries, effect }: ReadingVariant) {
  return entries.findLast(({ period }) => effect === null || period === effect.period)
}

function ReadingRow({ reading, isWritten, place, toggle, price, total }: ReadingRowProps) {
  const { title, words, notApplicable, blocked, effect } = reading
  const at = pick(reading)
  const isOut = notApplicable !== null
  return (
    <tr data-out={isOut}>
      <td className={classes.reading}>
        {isWritten ? (
          <>
            <strong>{title}</strong>
            <Swatch place={place} />
            <span className={classes.words}>{words}</span>
          </>
        ) : (
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
        )}
        {at !== undefined && !isOut && (
          <span className={`${classes.folded} on-narrow`}>
            {at.period}: {writePct(at.cumulativePct)}
            {at.price !== null && `, ${writeMoney(at.price, price?.currency)}`}
            {effect !== null && ` (${writePoints(effect.points)})`}
          </span>
        )}
      </td>
      {isOut ? (
        <td colSpan={5} className="on-wide" />
      ) : at === undefined ? (
        <td colSpan={5} className="soft on-wide">
          {blocked[0] === undefined ? 'No period yet' : `${blocked[0].period}: ${blocked[0].reason}`}
        </td>
      ) : (
        <>
          <td className="figures on-wide">{at.period}</td>
          <td className="right on-wide">{total}</td>
          <td className="right on-wide">
            {at.price !== null && <Money amount={at.price} currency={price?.currency} unit={price?.unit} />}
          </td>
          <td className="right on-wide">{effect !== null && !isWritten && writePoints(effect.points)}</td>
          <td className="right on-wide">
            {effect?.money != null && !isWritten && writeMoneyChange(effect.money, price?.currency)}
          </td>
        </>
      )}
    </tr>
  )
}

/** Marks the line of this reading in the chart below. */
function Swatch({ place }: { readonly place: number }) {
  return place < 0 ? null : <span className={classes.swatch} data-colour={place % colourCount} aria-hidden="true" />
}
