// Terms of the workspace that count for invoice lines from the first signature on: shown wherever somebody signs a number.
import type { DatedTerms } from '../../../src/views/shapes/agreements.ts'

interface DatedFact {
  readonly label: string
  readonly value: string
}

export function datedFacts({ units, unitCount, tolerancePct }: DatedTerms): readonly DatedFact[] {
  const factors = units.map(({ unit, other, factor }) => `1 ${unit} = ${factor} ${other}`)
  const more = unitCount > units.length ? [`${unitCount - units.length} more`] : []
  return [
    ...(units.length === 0 ? [] : [{ label: 'Unit factors', value: [...factors, ...more].join(', ') }]),
    ...(tolerancePct === null ? [] : [{ label: 'Tolerance of invoice lines', value: `${tolerancePct}\u202f%` }]),
  ]
}

/** Lines beside a list of signed things. */
export function DatedTermsLines({ terms }: { readonly terms: DatedTerms }) {
  return datedFacts(terms).map(({ label, value }) => (
    <p key={label} className="soft">
      {label}: <span className="figures">{value}</span>
    </p>
  ))
}
