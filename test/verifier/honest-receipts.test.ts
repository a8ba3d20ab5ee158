// Receipts of random contracts hold in the second verifier, whatever their clauses, steps and readings are: what it knows of a reading is
// never another value than the program read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bindFormula } from '../../src/core/formula/bind.ts'
import { calculatingText } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { buildBody, hashOf } from '../../src/core/receipt/receipt.ts'
import { Chance } from '../faults/chance.ts'
import { goldenSeal } from '../golden/make.ts'
import { writeDocument } from '../oracle/document.ts'
import { Draw } from '../oracle/draw.ts'
import { drawClauseScenario } from '../oracle/draw-clause.ts'
import { drawReadingScenario } from '../oracle/draw-readings.ts'
import { drawStepsScenario } from '../oracle/draw-steps.ts'
import { askEngine, readData } from '../oracle/engine.ts'
import type { Scenario } from '../oracle/oracle.ts'
import { surroundingsOf } from '../support/agreements/worked-receipts.ts'
import { hasPython, secondVerdicts } from '../support/files/second-verifier.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'

const folder = mkdtempSync(join(tmpdir(), 'assize-honest-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function receiptsOf(scenario: Scenario): readonly string[] {
  const { formula, document } = checkDocument(writeDocument(scenario.document))
  const versions = [{ number: 1, bound: bindFormula(formula!, readData(scenario.data)).bound! }]
  const surroundings = surroundingsOf(formula!, new Map([[1, calculatingText(document)]]))
  return askEngine(scenario).adjustments.map(adjustment => {
    const body = buildBody(adjustment, versions, surroundings)
    return JSON.stringify(goldenSeal.issue({ hash: hashOf(body), body, signatures: [] }))
  })
}

test.skipIf(!hasPython)('receipts of random contracts hold in the second verifier', () => {
  const seed = seedOr(11)
  const kinds: readonly ((draw: Draw) => Scenario)[] = [
    draw => drawClauseScenario(draw, { basis: 'FIXED_BASE', gaps: false }),
    draw => drawClauseScenario(draw, { basis: 'CHAINED', gaps: true }),
    drawStepsScenario,
    drawReadingScenario,
  ]
  const scenarios = Array.from({ length: roundsOf('properties', 'receipts of random contracts', 80, 800) }, (_, i) => {
    const chance = new Chance(seed + i)
    return kinds[i % kinds.length]!(new Draw({ next: most => chance.int(0, most) }))
  })
  const texts = scenarios.flatMap(receiptsOf)
  expect(texts.length).toBeGreaterThan(100)
  const files = texts.map((text, i) => {
    const path = join(folder, `${i}.json`)
    writeFileSync(path, text)
    return { path }
  })
  for (const [at, { status, lines }] of secondVerdicts(files).entries())
    expect([status, lines[0]], `seed ${seed}: ${texts[at]}`).toEqual([0, expect.stringMatching(/^same: /)])
})
