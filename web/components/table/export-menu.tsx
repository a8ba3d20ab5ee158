// Menu that downloads the screen's data as a file.
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { IconDownload } from '../page/icons.tsx'
import { type Sheet, saveCsv, saveXlsx } from './save-file.ts'

interface ExportMenuProps {
  /** Name without its extension. */
  readonly fileName: string
  readonly sheet: () => Sheet | Promise<Sheet>
  readonly isEmpty?: boolean
}

export function ExportMenu({ fileName, sheet, isEmpty = false }: ExportMenuProps) {
  const [isMaking, setMaking] = useState(false)
  const save = async (write: (name: string, made: Sheet) => void) => {
    setMaking(true)
    try {
      write(fileName, await sheet())
    } finally {
      setMaking(false)
    }
  }
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload />} disabled={isEmpty} loading={isMaking}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save(saveCsv)}>CSV</Menu.Item>
        <Menu.Item onClick={() => void save(saveXlsx)}>Excel workbook (XLSX)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
