// Line at the top of a page, for a supplier of an agreement that had other suppliers: the time in which it is theirs.
import { formatDate } from '../../../src/core/text/words.ts'
import type { AgreementListRow } from '../../../src/views/shapes/agreements.ts'
import classes from './as-it-stood.module.css'

export function SupplierTime({ asSupplier }: Pick<AgreementListRow, 'asSupplier'>) {
  if (asSupplier === null) return null
  const { since, until } = asSupplier
  return (
    <p className={classes.past} role="status">
      {until === null && since === null ? (
        <span>
          <strong>You are the supplier again.</strong> Periods that were agreed with another one in between are not
          shown.
        </span>
      ) : until === null ? (
        <span>
          <strong>You are the supplier since {formatDate(since!)}.</strong> Periods before were agreed with another one;
          your first number goes on from where they ended.
        </span>
      ) : (
        <span>
          <strong>You were the supplier until {formatDate(until)}.</strong> What you signed stays here, with its
          evidence, as it stood then{since === null ? '' : `, from ${formatDate(since)} on`}.
        </span>
      )}
    </p>
  )
}
