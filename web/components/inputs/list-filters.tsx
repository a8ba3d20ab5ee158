// Filters shared by the lists of agreements and of sign-offs, kept in the address: the series that an agreement reads, and the
// month something is due in.

import { Select } from '@mantine/core'
import { formatDate } from '../../../src/core/text/words.ts'
import { useRead } from '../../session.ts'
import type { ChangeAddress } from '../page/address.ts'

interface FilterProps {
  readonly value: string | undefined
  readonly change: ChangeAddress
  readonly className?: string | undefined
}

/** The choices are loaded after the list, so the list does not wait for them. */
export function SeriesFilter({ value, change, className }: FilterProps) {
  const { data: choices = [] } = useRead('/series-read')
  if (choices.length < 2 && value === undefined) return null
  const isKnown = choices.some(({ id }) => id === value)
  return (
    <Select
      className={className ?? ''}
      aria-label="Series"
      placeholder="Every series"
      clearable
      searchable
      nothingFoundMessage="No agreement reads a series with this name"
      data={[
        ...choices.map(({ id, name, agreements }) => ({ value: id, label: `${name} (${agreements})` })),
        ...(isKnown || value === undefined ? [] : [{ value, label: 'the chosen series' }]),
      ]}
      value={value ?? null}
      onChange={next => change({ series: next ?? undefined })}
    />
  )
}

export function DueFilter({ value, change, className }: FilterProps) {
  const months = monthsAround(new Date().toISOString().slice(0, 7))
  return (
    <Select
      className={className ?? ''}
      aria-label="Due in the month"
      placeholder="Due any month"
      clearable
      searchable
      nothingFoundMessage="Such as Apr 2026"
      data={(value === undefined || months.includes(value) ? months : [value, ...months]).map(month => ({
        value: month,
        label: formatDate(`${month}-01`).slice(2),
      }))}
      value={value ?? null}
      onChange={next => change({ due: next ?? undefined })}
    />
  )
}

/** Signatures may wait for years; the next due dates are near. */
const [monthsBefore, monthsAfter] = [36, 24]

/** Coming months first, the nearest at the top, then past months. */
function monthsAround(now: string): readonly string[] {
  const [year, month] = now.split('-').map(Number)
  const at = (shift: number) => new Date(Date.UTC(year!, month! - 1 + shift, 1)).toISOString().slice(0, 7)
  return [
    ...Array.from({ length: monthsAfter }, (_, i) => at(i)),
    ...Array.from({ length: monthsBefore }, (_, i) => at(-1 - i)),
  ]
}

/** A month as lists accept it; any other text in the address is ignored. */
export function readMonth(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined
}
