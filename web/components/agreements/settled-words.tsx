// An agreed price in words: who signed it, and the correction that replaced it.

import { parties } from '../../../src/core/parties.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import type { SettledView } from '../../../src/views/shapes/agreements.ts'
import type { Signatures } from '../../../src/views/shapes/signatures.ts'
import { useWorkspace } from '../../session.ts'
import { TextLink } from '../page/links.tsx'
import { formatWay } from '../words/price-words.ts'
import { formatFigure, shortenCut } from '../words/words.ts'
import { formatSigner } from './sign-state.tsx'

/** `signed 3 Nov 2025 by Ann Archer`, for each side that did. */
export function signedLines(signatures: Signatures): readonly string[] {
  const given = parties.flatMap(party => signatures[party] ?? [])
  return given.map(signature => `signed ${formatDate(signature.signedAt)} by ${formatSigner(signature)}`)
}

/** `corrected 17 Nov 2026`, with a link to the correction: beside what it was before. */
export function CorrectedOn({ settled: { correction } }: { readonly settled: SettledView }) {
  const { slug: ws } = useWorkspace()
  if (correction === null) return null
  return (
    <TextLink className="in-text" to="/w/$ws/corrections/$id" params={{ ws, id: correction.id }}>
      corrected {formatDate(correction.agreedAt)}
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
      {formatWay(formatFigure(shortenCut(before)), formatFigure(shortenCut(after)))}, agreed {formatDate(agreedAt)}
    </>
  )
}
