// Proposed changes of terms: each with its effect on the first date. Changes that wait for the reader are ticked and signed at
// once.

import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import { changeWords } from '../../../src/core/true-up/change-kinds.ts'
import type { IndexChanges, NamedIndex, OpenChangeRow } from '../../../src/views/shapes/index-changes.ts'
import { State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import type { Column, Columns } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { turned } from '../../components/table/use-opened.ts'
import { formatSide } from '../../components/words/side-words.ts'
import { countOf, formatCount, formatParties } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { First } from './first-effect.tsx'
import classes from './index-changes-page.module.css'
import { SignChangesDialog } from './sign-changes-dialog.tsx'

interface OpenChangesProps {
  readonly rows: readonly OpenChangeRow[]
  readonly names: IndexChanges['names']
  readonly isMine: boolean
}

export function OpenChanges({ rows, names, isMine }: OpenChangesProps) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<readonly OpenChangeRow[] | null>(null)
  const chosen = rows.filter(({ id }) => picked.has(id))
  const toggle = (id: string) => setPicked(turned(picked, id))
  const isAll = chosen.length === rows.length
  const columns = useColumns(names)
  return (
    <>
      {isMine && (
        <div className={classes.bar}>
          <Checkbox
            size="xs"
            label={`Select all ${formatCount(rows.length)}`}
            checked={isAll}
            indeterminate={chosen.length > 0 && !isAll}
            onChange={() => setPicked(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
          />
          <Button size="xs" disabled={chosen.length === 0} onClick={() => setAsked(chosen)}>
            {chosen.length === 0 ? 'Sign the selected' : `Sign ${countOf(chosen.length, 'change')} of terms …`}
          </Button>
        </div>
      )}
      <DataTable
        label={isMine ? 'Waiting for your signature' : 'Waiting for others'}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[isMine && pickColumn(picked, toggle), ...columns]}
      />
      {asked !== null && (
        <SignChangesDialog
          rows={asked}
          close={() => {
            setAsked(null)
            setPicked(new Set())
          }}
        />
      )}
    </>
  )
}

function pickColumn(picked: ReadonlySet<string>, toggle: (id: string) => void): Column<OpenChangeRow> {
  return {
    head: 'Selected',
    isHeadUnseen: true,
    className: `pick ${classes.pick}`,
    cell: ({ id, name }) => (
      <Checkbox size="xs" aria-label={`Select ${name}`} checked={picked.has(id)} onChange={() => toggle(id)} />
    ),
  }
}

function useColumns(names: OpenChangesProps['names']): Columns<OpenChangeRow> {
  const { slug: ws, role } = useWorkspace()
  return [
    {
      head: 'Agreement',
      isRowHead: true,
      isMain: true,
      cell: ({ id, name, supplier }) => (
        <>
          <TextLink to="/w/$ws/index-changes/$id" params={{ ws, id }}>
            {name}
          </TextLink>
          {role !== 'supplier' && <span className="under">{formatSide(supplier) ?? 'no supplier named'}</span>}
        </>
      ),
    },
    {
      head: 'Change',
      narrow: 'line',
      className: classes.series,
      cell: row => <What row={row} names={names} />,
    },
    { head: 'From', narrow: 'label', className: 'figures', cell: ({ effectiveFrom }) => formatDate(effectiveFrom) },
    {
      head: 'First price, before and after',
      isRight: true,
      narrow: 'label',
      className: 'figures',
      cell: ({ effect }) => <First effect={effect} />,
    },
    {
      head: 'State',
      narrow: 'line',
      cell: ({ waitsFor }) => (
        <State kind="waiting">
          {waitsFor.length === 2 ? 'nobody signed' : `waits for the ${formatParties(waitsFor)}`}
        </State>
      ),
    },
  ]
}

function What({
  row: { change, series, coefficient },
  names,
}: { readonly row: OpenChangeRow } & Pick<OpenChangesProps, 'names'>) {
  if (change !== 'SPLICE') return <>{changeWords[change]}</>
  const nameOf = (reference: string) =>
    names.find((each: NamedIndex) => each.reference === reference)?.name ?? reference
  return (
    <>
      {series.map(nameOf).join(' → ')}
      <span className="under figures">{coefficient === null ? 'with a new base' : `coefficient ${coefficient}`}</span>
    </>
  )
}
