// Write to the supplier: the text and the sheet about the lines of one supplier that were not billed as agreed. To copy and to
// download; nothing is sent.
import { Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { CopyButton } from '../../components/page/copy.tsx'
import { Empty, LoadingRows, Trouble } from '../../components/page/page.tsx'
import { ExportMenu } from '../../components/table/export-menu.tsx'
import { countOf } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './invoices.module.css'
import { letterOf, sheetOfLines } from './letter.ts'
import { type InvoiceFilter, readAllLines } from './queries.ts'

interface WriteToProps {
  readonly filter: InvoiceFilter
  readonly suppliers: readonly { readonly value: string; readonly label: string }[]
  readonly close: () => void
}

export function WriteTo({ filter, suppliers, close }: WriteToProps) {
  const [supplier, setSupplier] = useState(filter.supplier ?? (suppliers.length === 1 ? suppliers[0]!.value : null))
  return (
    <Dialog title="Write to the supplier" onClose={close} size="lg">
      <p className="soft">
        The lines whose price differs from the settled one. Copy the text, attach the sheet; nothing is sent from here.
      </p>
      <Select
        label="Supplier"
        placeholder="Choose one"
        data={[...suppliers]}
        value={supplier}
        onChange={setSupplier}
        searchable
        allowDeselect={false}
        data-autofocus
      />
      {supplier !== null && (
        <Letter
          filter={{ ...filter, supplier, state: 'wrong' }}
          name={suppliers.find(({ value }) => value === supplier)?.label ?? supplier}
        />
      )}
    </Dialog>
  )
}

function Letter({ filter, name }: { readonly filter: InvoiceFilter; readonly name: string }) {
  const { slug, path, name: from } = useWorkspace()
  const { data: lines, error } = useQuery({
    queryKey: ['w', slug, 'invoices', 'wrong', filter],
    queryFn: () => readAllLines(path, filter),
  })
  if (error !== null) return <Trouble error={error} />
  if (lines === undefined) return <LoadingRows rows={4} />
  if (lines.length === 0)
    return <Empty title="Nothing to write about">No kept line of {name} differs from a settled price.</Empty>
  const text = letterOf({ supplier: name, from, lines })
  return (
    <>
      <Textarea className={classes.letter ?? ''} label="Text" value={text} readOnly autosize minRows={8} maxRows={16} />
      <div className={classes.letterActions}>
        <CopyButton text={text} label="Copy the text" variant="filled" />
        <ExportMenu fileName={`${filter.supplier}-wrong-lines`} sheet={() => sheetOfLines('Wrong lines', lines)} />
        <span className="soft">{countOf(lines.length, 'line')} in the sheet</span>
      </div>
    </>
  )
}
