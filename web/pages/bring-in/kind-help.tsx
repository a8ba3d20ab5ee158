// Help on each kind of file: its columns, and an example to download.
import { Button } from '@mantine/core'
import type { ImportKind } from '../../../src/core/invoices/table-kinds.ts'
import { IconDownload } from '../../components/page/icons.tsx'
import { Section } from '../../components/page/page.tsx'
import { saveFile } from '../../components/table/save-file.ts'
import { ScrollX } from '../../components/table/scroll-x.tsx'
import { ColumnWords, FileShape } from '../series/series-upload/shape.tsx'
import classes from '../series/series-upload/upload.module.css'
import { kindWords } from './kinds.ts'

/** Help on the chosen kind, else on every kind. */
export function KindHelp({ kind, kinds }: { readonly kind: ImportKind | null; readonly kinds: readonly ImportKind[] }) {
  if (kind === 'observations') return <FileShape />
  if (kind !== null)
    return (
      <Section title="Format of the file">
        <Shape kind={kind} />
      </Section>
    )
  return (
    <Section title="Kinds of files">
      <p className="prose">
        The kind of a file is recognised from its columns, and you can change it. Tables of other systems, with
        semicolons, decimal commas or other words in the header, are mapped once: the next file with the same header is
        read the same way.
      </p>
      {kinds.map(each => (
        <details key={each} className={classes.given}>
          <summary>
            {kindWords[each].label}: <span className="soft">{kindWords[each].what}</span>
          </summary>
          <Shape kind={each} />
        </details>
      ))}
    </Section>
  )
}

function Shape({ kind }: { readonly kind: ImportKind }) {
  const { example, columns, label } = kindWords[kind]
  return (
    <>
      {kind === 'invoices' && (
        <p className="prose soft">
          A table with one row per billed line, as CSV, XLSX or JSON, or an electronic invoice as XML: UBL 2.1 invoice
          or credit note, CII, Factur-X and XRechnung.
        </p>
      )}
      <ScrollX label={`Example: ${label}`}>
        <pre className={`mono ${classes.example}`}>{example}</pre>
      </ScrollX>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload />}
        aria-label={`Download the example: ${label}`}
        onClick={() => saveFile(`${kind}.csv`, 'text/csv', [example])}
      >
        Download this as a file
      </Button>
      <ColumnWords columns={columns} />
    </>
  )
}
