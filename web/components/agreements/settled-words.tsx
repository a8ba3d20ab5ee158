// What both agreed about a price, in words: who signed it, and the correction that replaced it. What is not signed by both is
// proposed, and never called the price.
import type { AgreementListRow, PeriodRow, SettledView } from '../../../src/views/shapes/agreements.ts'
import type { Signatures } from '../../../src/views/shapes/signatures.ts'
import { useWorkspace } from '../../session.ts'
import { isNothing } from '../figures/decimals.ts'
import { TextLink } from '../page/links.tsx'
import { writeWay } from '../words/price-words.ts'
import { shortenCut, writeDay, writeFigure } from '../words/words.ts'
import { parties, writeSigner } from './sign-state.tsx'

/** The period before the first adjustment. */
export const startPeriod = 'start'

/** Whether it is the contract's own price, which nothing has moved yet. */
export function isContractPrice({ period }: Pick<SettledView, 'period'>): boolean {
  return period === startPeriod
}

/** The newest number, where it is not signed by both. */
export function proposedOf({ last }: Pick<AgreementListRow, 'last'>): PeriodRow | null {
  return last === null || last.isSigned ? null : last
}

/** What a row reports: the settled number, else the proposed one. */
export function reportedOf(
  entry: PeriodRow,
): Pick<SettledView, 'adjustmentPct' | 'cumulativePct' | 'factor' | 'price'> {
  return entry.settled ?? entry
}

/** `signed 3 Nov 2025 by Ann Archer`, for each side that did. */
export function signedLines(signatures: Signatures): readonly string[] {
  const given = parties.flatMap(party => signatures[party] ?? [])
  return given.map(signature => `signed ${writeDay(signature.signedAt)} by ${writeSigner(signature)}`)
}

/** Whether the price, or without one the number, would be another with today's figures. */
export function isOtherToday({ today }: Pick<PeriodRow, 'today'>): boolean {
  if (today === null) return false
  const difference = today.differenceMoney ?? today.differencePoints
  return difference === null || !isNothing(difference)
}

/** `corrected 17 Nov 2026`, with a link to the correction: beside what it was before. */
export function CorrectedOn({ settled: { correction } }: { readonly settled: SettledView }) {
  const { slug: ws } = useWorkspace()
  if (correction === null) return null
  return (
    <TextLink className="in-text" to="/w/$ws/corrections/$id" params={{ ws, id: correction.id }}>
      corrected {writeDay(correction.agreedAt)}
    </TextLink>
  )
}

/** `corrected 263.44 → 263.19, agreed 17 Nov 2026`, with a link to the correction. */
export function CorrectedWords({ settled }: { readonly settled: SettledView }) {
  const { slug: ws } = useWorkspace()
  const { correction, price, factor } = settled
  if (correction === null) return null
  const { id, agreedAt, priceBefore, factorBefore } = correction
  const [before, after] = price === null || priceBefore === null ? [factorBefore, factor] : [priceBefore, price]
  return (
    <>
      <TextLink className="in-text" to="/w/$ws/corrections/$id" params={{ ws, id }}>
        corrected
      </TextLink>{' '}
      {writeWay(writeFigure(shortenCut(before)), writeFigure(shortenCut(after)))}, agreed {writeDay(agreedAt)}
    </>
  )
}
