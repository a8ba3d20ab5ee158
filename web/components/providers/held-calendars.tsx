// Calendars of releases that are held back because they say much less than is stored: with the changes that each would make. An
// operator of the installation decides.

import { useQueryClient } from '@tanstack/react-query'
import { formatDate } from '../../../src/core/text/words.ts'
import type { CalendarRow } from '../../../src/views/shapes/series.ts'
import { api } from '../../api.ts'
import { at } from '../../calls.ts'
import classes from '../../pages/settings/settings.module.css'
import { DataTable } from '../table/data-table.tsx'
import { countOf, formatInstant } from '../words/words.ts'
import { Held } from './quarantine.tsx'

const words = {
  release:
    'The new dates count for every workspace that has a series of the provider. A release that is no longer announced is expected at its usual time, or has no date. Your decision is recorded.',
  reject:
    'The calendar stays as it is for every workspace. If the provider sends this calendar again, it is rejected without asking. Your decision is recorded.',
}

interface HeldCalendarsProps {
  readonly calendars: readonly CalendarRow[]
  readonly mayDecide: boolean
}

export function HeldCalendars({ calendars, mayDecide }: HeldCalendarsProps) {
  const queries = useQueryClient()
  return calendars.map(row => (
    <Held
      key={row.id}
      title={`Release calendar of ${row.provider}`}
      reason={row.reason}
      foundAt={row.foundAt}
      note={effectWords(row)}
      what="the calendar"
      words={words}
      decide={
        mayDecide
          ? async decision => {
              await api.post(at('/installation/calendars/:id', { id: row.id }), { decision })
              // Any page may name the day of an expected figure.
              await queries.invalidateQueries()
            }
          : null
      }
    >
      {row.sample.length > 0 && <Sample row={row} />}
    </Held>
  ))
}

function effectWords({ added, moved, withdrawn }: CalendarRow): string {
  const parts = [
    ...(added > 0 ? [`${countOf(added, 'date')} would be new`] : []),
    ...(moved > 0 ? [`${countOf(moved, 'date')} would move`] : []),
    ...(withdrawn > 0 ? [`${countOf(withdrawn, 'release')} would no longer be announced`] : []),
  ]
  return parts.length === 0 ? 'The new calendar no longer changes anything.' : `${parts.join(', ')}.`
}

function Sample({ row: { sample, withdrawn } }: { readonly row: CalendarRow }) {
  return (
    <>
      <DataTable
        className={classes.sample}
        label="No longer announced"
        rows={sample}
        keyOf={({ at: when, title }) => `${when} ${title}`}
        columns={[
          { head: 'No longer announced', isRowHead: true, isMain: true, cell: ({ title }) => title },
          {
            head: 'Previous date',
            className: 'figures',
            narrow: 'label',
            cell: ({ at: when }) => (when.includes('T') ? formatInstant(when) : formatDate(when)),
          },
        ]}
      />
      {withdrawn > sample.length && <p className="soft">and {withdrawn - sample.length} more</p>}
    </>
  )
}
