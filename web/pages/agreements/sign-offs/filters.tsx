// The filters of the inbox, kept in the address.
import { Select, TextInput } from '@mantine/core'
import type { Inbox, InboxState } from '../../../../src/views/shapes/inbox.ts'
import { DueFilter, SeriesFilter } from '../../../components/inputs/list-filters.tsx'
import { SupplierFilter } from '../../../components/inputs/supplier-filter.tsx'
import type { ChangeAddress } from '../../../components/page/address.ts'
import { IconSearch } from '../../../components/page/icons.tsx'
import type { InboxWanted } from './inbox-queries.ts'
import classes from './sign-offs.module.css'

const stateWords: Readonly<Record<InboxState, string>> = {
  UNSIGNED: 'Nobody has signed',
  COUNTERSIGN: 'The other side has signed',
  DISPUTED: 'Disputed',
  MOVED: 'Number changed since it was signed',
}

/** State in the address; undefined for any other text. */
export function readState(text: string | undefined): InboxState | undefined {
  return text !== undefined && text in stateWords ? (text as InboxState) : undefined
}

interface FiltersProps {
  readonly wanted: InboxWanted
  readonly suppliers: Inbox['suppliers']
  readonly change: ChangeAddress
}

export function Filters({ wanted, suppliers, change }: FiltersProps) {
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.query ?? ''}
        aria-label="Search sign-offs"
        placeholder="Name or slug of an agreement"
        leftSection={<IconSearch />}
        value={wanted.q ?? ''}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <SupplierFilter className={classes.filter} choices={suppliers} value={wanted.supplier} change={change} />
      <SeriesFilter className={classes.filter} value={wanted.series} change={change} />
      <DueFilter className={classes.filter} value={wanted.due} change={change} />
      <Select
        className={classes.filter ?? ''}
        aria-label="State"
        placeholder="Any state"
        clearable
        data={Object.entries(stateWords).map(([value, label]) => ({ value, label }))}
        value={wanted.state ?? null}
        onChange={next => change({ state: next ?? undefined })}
      />
    </search>
  )
}
