// Menu that takes the prices of one agreement, or of all, as a file that another system loads, and names the prices left out of
// it.
import { Button, Select, Switch, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { PriceFormat } from '../../../../src/formats/price-files/price-file.ts'
import type { PriceFile } from '../../../../src/views/shapes/invoices.ts'
import { api } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { IconDownload } from '../../../components/page/icons.tsx'
import { type Columns, sheetOf } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { saveFile } from '../../../components/table/save-file.ts'
import { asSentence, countOf } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

const formatWords: Readonly<Record<PriceFormat, string>> = {
  'sap-csv': 'SAP, condition records (CSV)',
  'sap-idoc': 'SAP, IDoc COND_A04 (XML)',
  'd365-purchase': 'Dynamics 365, purchase price journal (CSV)',
  'd365-sales': 'Dynamics 365, sales price journal (CSV)',
  bc: 'Business Central, price list lines (CSV)',
  csv: 'CSV',
  json: 'JSON',
}
const formats = Object.entries(formatWords).map(([value, label]) => ({ value, label }))

/** `agreement` is a slug; all of them where it is left out. */
export function PriceFileButton({ agreement }: { readonly agreement?: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconDownload />} onClick={() => setOpen(true)}>
        Price file
      </Button>
      {isOpen && <TakeFile agreement={agreement} close={() => setOpen(false)} />}
    </>
  )
}

function TakeFile({ agreement, close }: { readonly agreement: string | undefined; readonly close: () => void }) {
  const { path } = useWorkspace()
  const [format, setFormat] = useState<PriceFormat>('sap-csv')
  const [when, setWhen] = useState('today')
  const [staysInForce, setStaysInForce] = useState(true)
  const [set, setSet] = useState('')
  const [taken, setTaken] = useState<PriceFile | null>(null)
  const take = async () => {
    const date = when === 'today' ? new Date().toISOString().slice(0, 10) : undefined
    const periodValidity = staysInForce ? undefined : ('true' as const)
    const asked = { format, agreement, date, periodValidity, set: set === '' ? undefined : set }
    const file = await api.get(path('/price-file', asked))
    if (file.count > 0) saveFile(file.name, file.type, [file.text])
    setTaken(file)
  }
  return (
    <Dialog onClose={close} title={agreement === undefined ? 'Price file of all agreements' : 'Price file'}>
      <AskForm action="Download" run={take}>
        <Select
          label="For"
          data={formats}
          value={format}
          allowDeselect={false}
          onChange={value => setFormat((value ?? format) as PriceFormat)}
        />
        <Select
          label="Prices"
          data={[
            { value: 'today', label: 'in force today' },
            { value: 'every', label: 'of every period that has begun' },
          ]}
          value={when}
          allowDeselect={false}
          onChange={value => setWhen(value ?? when)}
        />
        <Switch
          label="Settled prices stay in force"
          description="Each until both sides have signed the next one; otherwise each ends with its own period"
          checked={staysInForce}
          onChange={event => setStaysInForce(event.currentTarget.checked)}
        />
        <Textarea
          label="Fields for which items have no key"
          description="NAME=VALUE, one per line, such as EKORG=1000; for an IDoc also SNDPRN and RCVPRN"
          autosize
          minRows={2}
          value={set}
          onChange={event => setSet(event.currentTarget.value)}
        />
        <p className="soft">
          The file has the prices that both sides signed, with every digit. A price that does not fit is left out and
          listed.
        </p>
        {taken !== null && <Taken file={taken} />}
      </AskForm>
    </Dialog>
  )
}

type LeftOut = PriceFile['leftOut'][number]

const reasonWords: Readonly<Record<LeftOut['reason'], string>> = {
  BLOCKED: 'no number',
  UNFIT: 'does not fit',
  NOT_AGREED: 'not signed by both',
}

const columns: Columns<LeftOut> = [
  { head: 'Agreement', cell: ({ agreement }) => agreement, sheet: { agreement: ({ agreement }) => agreement } },
  {
    head: 'Item',
    narrow: 'line',
    cell: ({ item, period }) => [item, period].filter(each => each !== null).join(', '),
    sheet: { item: ({ item }) => item, period: ({ period }) => period },
  },
  {
    head: 'Reason',
    narrow: 'line',
    cell: ({ reason, why }) => `${reasonWords[reason]}: ${why}`,
    sheet: { reason: ({ reason }) => reason, why: ({ why }) => why },
  },
]

function Taken({ file: { name, count, leftOut, leftOutCount, missing } }: { readonly file: PriceFile }) {
  return (
    <div role="status">
      <p>{count === 0 ? 'No price fits such a file, so no file was made.' : `${name}: ${countOf(count, 'price')}.`}</p>
      {missing !== null && count > 0 && <p>{asSentence(missing)}</p>}
      {leftOutCount === 0 ? (
        <p>No price is left out.</p>
      ) : (
        <>
          <p>
            {countOf(leftOutCount, 'price')} left out. A system that reads this file keeps its old price for each of
            them.{' '}
            <ExportMenu
              fileName="left-out"
              sheet={() => sheetOf({ name: 'Left out', columns, rows: leftOut })}
              isEmpty={false}
            />
          </p>
          <DataTable
            label="Left out"
            rows={leftOut}
            keyOf={({ agreement, item, period, reason }) => `${agreement} ${item} ${period} ${reason}`}
            columns={columns}
          />
        </>
      )}
    </div>
  )
}
