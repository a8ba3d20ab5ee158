// A sheet in one language, as it is printed: the browser shows the same words as the file. The choice of the language and the way
// back are around it, and are not printed.
import { Button, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Language, languageNames, languages } from '../../../src/core/billing/languages.ts'
import type { PrintedSheet, PrintedTable } from '../../../src/formats/print/printed-sheet.ts'
import { IconPrint } from '../page/icons.tsx'
import { DataTable } from '../table/data-table.tsx'
import classes from './printed-page.module.css'

interface PrintedPageProps {
  readonly sheet: PrintedSheet
  readonly choose: (language: Language) => void
  /** Links back, and other forms. */
  readonly actions: ReactNode
}

export function PrintedPage({ sheet, choose, actions }: PrintedPageProps) {
  const { language, title, under, sides, facts, tables, totals, remarks, signatures } = sheet
  return (
    <>
      <div className={`${classes.bar} no-print`}>
        <Select
          aria-label="Language"
          data={languages.map(value => ({ value, label: languageNames[value] }))}
          allowDeselect={false}
          value={language}
          onChange={value => choose(value as Language)}
        />
        {actions}
        <Button leftSection={<IconPrint />} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <article className={classes.sheet} lang={language}>
        <h1>{title}</h1>
        {under !== null && <p className="soft">{under}</p>}
        {sides.length > 0 && (
          <div className={classes.sides}>
            {sides.map(({ label, lines }) => (
              <section key={label}>
                <h2>{label}</h2>
                {lines.map(line => (
                  <p key={line}>{line}</p>
                ))}
              </section>
            ))}
          </div>
        )}
        <Pairs pairs={facts} />
        {tables.map(table => (
          <Table key={table.title} table={table} />
        ))}
        {totals.length > 0 && (
          <dl className={classes.totals}>
            {totals.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <Pairs pairs={remarks} />
        {signatures.length > 0 && (
          <div className={classes.sides}>
            {signatures.map(({ label, name, words }) => (
              <section key={label}>
                <h2>{label}</h2>
                <p className={classes.name}>{name ?? '\u00a0'}</p>
                <p className="soft">{words}</p>
              </section>
            ))}
          </div>
        )}
      </article>
    </>
  )
}

function Pairs({ pairs }: { readonly pairs: PrintedSheet['facts'] }) {
  if (pairs.length === 0) return null
  return (
    <dl className={classes.pairs}>
      {pairs.map(({ label, value }) => (
        <div key={`${label} ${value}`}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Table({ table: { title, columns, rows } }: { readonly table: PrintedTable }) {
  return (
    <section className={classes.table}>
      {title !== null && <h2>{title}</h2>}
      <DataTable
        label={title ?? columns.map(({ head }) => head).join(', ')}
        rows={rows}
        keyOf={(_, i) => i}
        columns={columns.map(({ head, isRight }, i) => ({
          head,
          ...(isRight === true ? { isRight } : {}),
          cell: (row: readonly string[]) => row[i],
        }))}
      />
    </section>
  )
}
