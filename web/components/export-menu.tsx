// Taking what is on the screen along as a file.
import { Button, Menu } from '@mantine/core'
import { IconDownload } from './icons.tsx'
import { type Sheet, saveCsv, saveXlsx } from './save-file.ts'

interface ExportMenuProps {
  /** Without its ending. */
  readonly fileName: string
  /** Made on request. */
  readonly sheet: () => Sheet
  readonly isEmpty?: boolean
}

export function ExportMenu({ fileName, sheet, isEmpty = false }: ExportMenuProps) {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload />} disabled={isEmpty}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saveCsv(fileName, sheet())}>CSV</Menu.Item>
        <Menu.Item onClick={() => saveXlsx(fileName, sheet())}>Excel workbook (XLSX)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
