// The column of a list of changes of terms that names the agreement and leads to the change.
import { TextLink } from '../page/links.tsx'
import type { Column } from '../table/column.ts'

export function agreementColumn<Row extends { readonly id: string; readonly name: string }>(ws: string): Column<Row> {
  return {
    head: 'Agreement',
    isRowHead: true,
    isMain: true,
    cell: ({ id, name }) => (
      <TextLink to="/w/$ws/index-changes/$id" params={{ ws, id }}>
        {name}
      </TextLink>
    ),
  }
}
