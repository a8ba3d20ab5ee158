// Random clauses against the oracle: what is adjusted, what it costs and every line between, to the last digit.
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawClauseQuestion } from '../oracle/draw-clause.ts'
import { expectAgreement } from '../oracle/engine.ts'

describe('random clauses', () => {
  it('agrees with the oracle on 4,000 clauses with a fixed base', () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawClauseQuestion(new Draw(generate), { basis: 'FIXED_BASE', gaps: false, ownResult: true }))
    })
    fc.assert(property, hunt(4000))
  })

  it('agrees with the oracle on 4,000 chained clauses', () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawClauseQuestion(new Draw(generate), { basis: 'CHAINED', gaps: false }))
    })
    fc.assert(property, hunt(4000))
  })

  it('agrees with the oracle on 1,500 clauses whose data have gaps', () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawClauseQuestion(new Draw(generate), { gaps: true }))
    })
    fc.assert(property, hunt(1500))
  })
})
