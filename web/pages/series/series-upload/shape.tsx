// Shows by example what a file must look like.
import { Button } from '@mantine/core'
import { IconDownload } from '../../../components/page/icons.tsx'
import { Section } from '../../../components/page/page.tsx'
import { saveFile } from '../../../components/table/save-file.ts'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import classes from './upload.module.css'

const example = [
  'series,period,value,version,published,name,unit,dataType',
  'CUSTOM/scrap-e3,2024-01,351.20,PRELIMINARY,2024-02-05,"Scrap, grade E3",EUR/t,PRICE',
  'CUSTOM/scrap-e3,2024-01,352.00,FINAL,2024-03-05,,,',
  'CUSTOM/scrap-e3,2024-02,348.90,PRELIMINARY,2024-03-05,,,',
].join('\n')

const columns = [
  ['series', 'PROVIDER/code; your own begin with CUSTOM/. Required, unless you choose the series above.'],
  ['period', '2024-03, 2024-Q1, 2024-H1, 2024, 2024-03-15 or 2024-W05. Required.'],
  ['value', 'The figure with its digits and a decimal point. Required.'],
  ['version', 'PRELIMINARY, FINAL or REVISED. Without it: FINAL, or REVISED where it changes a final one.'],
  ['published', 'The day or instant it was published; without it, now. It does not count for an earlier day.'],
  ['flag', 'The provider’s own mark, kept as it is.'],
  [
    'name, unit, frequency, dataType',
    'For a series that is new; once is enough. dataType is INDEX, PRICE, RATE, FX or WAGE.',
  ],
] as const

export function FileShape() {
  return (
    <Section title="Format of the file">
      <p className="prose">
        A file in this form is read without a question: a header, then one row for each value, with the columns in any
        order. For other tables, with semicolons, decimal commas, other words in the header or one series per column,
        you say how they are read; the next file with the same header is read the same way. A value that is stored
        already adds nothing, so a file that grows each month can be uploaded whole. A JSON file is a list of objects
        with these names; of an XLSX file the first worksheet is read.
      </p>
      <ScrollX label="Example">
        <pre className={`mono ${classes.example}`}>{example}</pre>
      </ScrollX>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload />}
        onClick={() => saveFile('figures.csv', 'text/csv', [`${example}\n`])}
      >
        Download this as a file
      </Button>
      <ColumnWords columns={columns} />
    </Section>
  )
}

export function ColumnWords({ columns }: { readonly columns: readonly (readonly [name: string, words: string])[] }) {
  return (
    <dl className={classes.columns}>
      {columns.map(([name, words]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt className="mono">{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  )
}
