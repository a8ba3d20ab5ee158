// Answers of a provider that look different: the shape until now beside the one that came, place by place. An operator of the
// installation accepts the new one, with all that is held for it, or rejects it.
import { Anchor } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DriftRow } from '../../../src/views/shapes/installation.ts'
import { api } from '../../api.ts'
import { at } from '../../calls.ts'
import classes from '../../pages/settings/settings.module.css'
import { DataTable } from '../table/data-table.tsx'
import { countOf } from '../words/words.ts'
import { Held } from './quarantine.tsx'

const words = {
  release:
    'Answers of this shape are accepted from now on. The held-back figures are published as new vintages for every workspace that follows the series; stored values stay in the history, and signed periods keep their numbers. All these workspaces see your decision.',
  reject:
    'The figures stay as they are for every workspace. If the provider sends this shape again, it is rejected without asking. All workspaces that follow the series see your decision.',
}

const kindWords: Readonly<Record<DriftRow['kind'], string>> = {
  values: 'Answers',
  calendar: 'Release calendar',
}

export function HeldDrifts({ drifts }: { readonly drifts: readonly DriftRow[] }) {
  const queries = useQueryClient()
  return drifts.map(row => (
    <Held
      key={row.id}
      title={`${kindWords[row.kind]} of ${row.provider} changed`}
      reason={row.reason}
      foundAt={row.foundAt}
      note={heldWords(row)}
      what="the new shape"
      words={words}
      decide={async decision => {
        await api.post(at('/installation/drifts/:id', { id: row.id }), { decision })
        // Any page may show figures from it.
        await queries.invalidateQueries()
      }}
    >
      {row.places.map(place => (
        <Place key={place.name} place={place} />
      ))}
      {row.morePlaces > 0 && <p className="soft">and {countOf(row.morePlaces, 'more place')}</p>}
    </Held>
  ))
}

function heldWords({ held }: DriftRow): string {
  if (held.length === 0) return 'No figures are held back.'
  const named = held.slice(0, 3).join(', ')
  return `Figures of ${countOf(held.length, 'series', 'series')} wait: ${named}${held.length > 3 ? ', …' : ''}.`
}

/** Lines at first, which say what happened; a web page in place of a table has lost every column. */
const linesAtFirst = 8

function Place({ place: { name, signs, lines } }: { readonly place: DriftRow['places'][number] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, linesAtFirst)
  return (
    <>
      <p>
        <span className="mono">{name}</span>: {signs.join('; ')}
      </p>
      {lines.length > 0 && (
        <DataTable
          className={classes.shapes}
          label={`Shapes of ${name}`}
          rows={shown}
          keyOf={({ what }) => what}
          columns={[
            { head: 'Part', isRowHead: true, isMain: true, cell: ({ what }) => what },
            { head: 'Before', narrow: 'label', cell: ({ before }) => <Text text={before} /> },
            {
              head: 'Now',
              narrow: 'label',
              cell: ({ before, after }) =>
                before === after ? <Text text={after} /> : <strong>{after ?? 'none'}</strong>,
            },
          ]}
        />
      )}
      {shown.length < lines.length && (
        <p>
          <Anchor component="button" type="button" inherit onClick={() => setWhole(true)}>
            Show the other {lines.length - shown.length}
            <span className="unseen"> lines of {name}</span>
          </Anchor>
        </p>
      )}
    </>
  )
}

function Text({ text }: { readonly text: string | null }) {
  return text === null ? <span className="soft">none</span> : text
}
