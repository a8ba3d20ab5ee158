// Periods of an agreement of which a side has signed a number, even if the number has changed since.

import { parties as partyNames } from '../core/parties.ts'
import type { SignedDate } from '../core/prices/list-start.ts'
import { parseDay } from '../core/time/day.ts'
import { partiesOf } from '../read/agreements/agreement-snapshot.ts'
import { isOwnEntry, tenureOfNow } from '../read/agreements/tenure.ts'
import type { AgreementHistory } from '../storage/agreements/agreements.ts'

/** Signed periods by date. A signature of a former supplier alone binds nobody. */
export function signedDates(kept: Pick<AgreementHistory, 'receipts' | 'signOffs' | 'states'>): readonly SignedDate[] {
  const tenure = tenureOfNow(kept.states, 'supplier')
  const isHeld = (seq: number) => tenure === null || isOwnEntry(tenure, seq)
  const dates = Map.groupBy(kept.signOffs, ({ period, adjustmentDate }) => `${adjustmentDate} ${period}`)
  const found = [...dates.values()].flatMap((given): SignedDate[] => {
    const { period, adjustmentDate } = given[0]!
    const own = kept.receipts.filter(each => each.period === period && each.adjustmentDate === adjustmentDate)
    const isAgreed = own.some(receipt => partiesOf(given, receipt).size === partyNames.length)
    const holding = isAgreed ? given : given.filter(({ party, seq }) => party === 'buyer' || isHeld(seq))
    if (holding.length === 0) return []
    return [{ period, date: parseDay(adjustmentDate)!, parties: new Set(holding.map(({ party }) => party)), isAgreed }]
  })
  return found.sort((a, b) => a.date - b.date)
}

/** Entry since which the agreement has the supplier of today, who sees the lists of its time alone. */
export function supplierSince({ states }: Pick<AgreementHistory, 'states'>): number {
  return tenureOfNow(states, 'supplier')?.spans.at(-1)?.fromSeq ?? 0
}
