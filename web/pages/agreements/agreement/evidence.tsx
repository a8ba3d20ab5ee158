// Downloads the evidence for a range of periods: one ZIP file that can be checked offline.

import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AgreementPage } from '../../../../src/views/shapes/agreements.ts'
import { failureOf } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { IconDownload } from '../../../components/page/icons.tsx'
import { saveFile } from '../../../components/table/save-file.ts'
import { useWorkspace } from '../../../session.ts'

export function EvidenceButton({ page }: { readonly page: AgreementPage }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconDownload />} onClick={() => setOpen(true)}>
        Evidence
      </Button>
      {isOpen && <Evidence page={page} close={() => setOpen(false)} />}
    </>
  )
}

function Evidence({ page, close }: { readonly page: AgreementPage; readonly close: () => void }) {
  const { path } = useWorkspace()
  const { entries, agreement } = page
  const days = entries.map(({ period, adjustmentDate }) => ({
    value: adjustmentDate,
    label: `${period}, ${formatDate(adjustmentDate)}`,
  }))
  const [from, setFrom] = useState(days[0]!.value)
  const [to, setTo] = useState(days.at(-1)!.value)
  const take = async () => {
    const response = await fetch(`/console${path('/agreements/:slug/evidence', { slug: agreement.slug, from, to })}`)
    if (!response.ok) throw await failureOf(response)
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    saveFile(name ?? 'evidence.zip', 'application/zip', [await response.blob()])
    close()
  }
  return (
    <Dialog onClose={close} title={`Evidence for ${agreement.name}`}>
      <AskForm action="Download" run={take}>
        <p className="soft">
          One ZIP with the receipts, pages to print, versions of the formula, every figure with the days on which it was
          published and recorded, signatures and objections. Unpack it and open verify.html: that page checks the whole
          package in a browser, without a connection.
        </p>
        <Select label="From" data={days} value={from} allowDeselect={false} onChange={day => setFrom(day ?? from)} />
        <Select label="To" data={days} value={to} allowDeselect={false} onChange={day => setTo(day ?? to)} />
      </AskForm>
    </Dialog>
  )
}
