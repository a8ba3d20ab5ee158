// Question before a template opens in the builder: which series to use for its inputs if the workspace does not have the ones it
// names. So the builder never opens with problems.
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { SeriesRow } from '../../../../../src/views/shapes/series.ts'
import { LoadingRows, Section } from '../../../../components/page/page.tsx'
import classes from '../builder.module.css'
import { SeriesProvider } from '../builder-state.tsx'
import { formatShare } from '../document/weights.ts'
import { SeriesBox, SeriesWords } from '../form/series-field.tsx'
import { useSeries } from '../use-series.ts'
import { neededSeries, withSeries } from './chosen-series.ts'

interface SeriesFirstProps {
  readonly text: string
  /** Somebody has already started writing: nothing is asked. */
  readonly isBegun: boolean
  readonly children: (text: string) => ReactNode
}

export function SeriesFirst({ text, isBegun, children }: SeriesFirstProps) {
  const series = useSeries()
  const [written, setWritten] = useState<ReadonlyMap<string, string>>(new Map())
  const [begun, setBegun] = useState<string | null>(null)
  const [wasBegun] = useState(isBegun)
  if (begun !== null) return children(begun)
  if (wasBegun) return children(text)
  if (!series.isLoaded) return <LoadingRows />
  const needed = neededSeries(text)
  const missing = needed.filter(({ reference }) => series.find(reference) === undefined)
  if (missing.length === 0 && written.size === 0) return children(text)
  const asked = needed.filter(each => missing.includes(each) || written.has(each.input))
  const referenceOf = ({ input, reference }: (typeof needed)[number]) => written.get(input) ?? reference
  const found = asked.flatMap(each => {
    const row = series.find(referenceOf(each))
    return row === undefined ? [] : [[each.input, row] as [string, SeriesRow]]
  })
  const isWhole = found.length === asked.length
  return (
    <SeriesProvider series={series}>
      <Section title="Which series does it follow?">
        <p className="soft prose">
          Choose the index your contract names. One that this workspace does not have yet is followed on the spot when
          you choose it, or uploaded from a file.
        </p>
        <div className={classes.asked}>
          {asked.map(each => {
            const reference = referenceOf(each)
            const label = each.input.replaceAll('_', ' ')
            return (
              <SeriesBox
                key={each.input}
                id={`series-of-${each.input}`}
                label={each.weight === '' ? label : `${label}, ${formatShare(each.weight)} of the price`}
                description={<SeriesWords reference={reference} />}
                written={reference}
                onReference={next => setWritten(before => new Map([...before, [each.input, next]]))}
              />
            )
          })}
        </div>
        <Button mt={16} disabled={!isWhole} onClick={() => setBegun(withSeries(text, new Map(found)))}>
          {isWhole ? 'Continue' : `Choose ${asked.length - found.length} more`}
        </Button>
      </Section>
    </SeriesProvider>
  )
}
