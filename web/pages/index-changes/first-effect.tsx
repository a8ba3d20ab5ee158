// Effect of a change of terms on the price of the first date that it touches.
import type { OpenChangeRow } from '../../../src/views/shapes/index-changes.ts'
import { formatExactPrice } from '../../components/index-changes/words.ts'

export function First({ effect }: Pick<OpenChangeRow, 'effect'>) {
  if (effect === null) return <span className="soft">no price yet</span>
  const { period, before, after } = effect
  const isSame = before === after
  return (
    <>
      {before === null ? <span className="soft">no number</span> : formatExactPrice(before)}
      {!isSame && <> → {after === null ? <span className="soft">no number</span> : formatExactPrice(after)}</>}
      <span className="under">
        {period}
        {isSame && ', unchanged'}
      </span>
    </>
  )
}
