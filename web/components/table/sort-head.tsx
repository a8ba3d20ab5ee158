// The head of a sortable column. The sorted column and its direction are kept in the address.
import type { ReactNode } from 'react'
import type { ChangeAddress } from '../page/address.ts'
import classes from './sort-head.module.css'

interface SortHeadProps {
  readonly column: string
  /** `name`, or `-name` for descending order. */
  readonly sort: string | undefined
  readonly change: ChangeAddress
  readonly className?: string
  readonly children: ReactNode
}

export function SortHead({ column, sort, change, className, children }: SortHeadProps) {
  const isUp = sort === column
  const isDown = sort === `-${column}`
  const next = isUp ? `-${column}` : isDown ? undefined : column
  return (
    <th scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'} className={className}>
      <button type="button" className={classes.sort} onClick={() => change({ sort: next })}>
        {children}
        <span aria-hidden="true" className={classes.arrow}>
          {isUp ? '↑' : isDown ? '↓' : ''}
        </span>
      </button>
    </th>
  )
}
