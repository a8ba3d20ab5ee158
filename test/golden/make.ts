// A receipt of a golden case, made as a server makes one, by an invented installation.

import { Seal } from '../../src/agreements/seal.ts'
import { evaluate } from '../../src/core/calculation/evaluate.ts'
import { bindFormula } from '../../src/core/formula/bind.ts'
import { calculatingText } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { buildBody, hashOf, type Receipt } from '../../src/core/receipt/receipt.ts'
import { noCuts } from '../../src/core/series/vintage.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { readTable } from '../support/agreements/evaluate-text.ts'
import { surroundingsOf } from '../support/agreements/worked-receipts.ts'
import type { GoldenCase } from './cases.ts'
import { goldenTable } from './figures.ts'

export const goldenSeal = new Seal(KeyRing.of(['the secret of the golden receipts, which is none']))

const endOfTime = parseDay('9999-12-31')!

export function makeGolden({ name, documents, period }: GoldenCase): Receipt {
  const data = readTable(goldenTable)
  const checked = documents.map(each => checkDocument(each))
  const versions = checked.map(({ formula, problems }, i) => {
    if (formula === null) throw new Error(`${name}: ${JSON.stringify(problems)}`)
    const { bound, problems: misfits } = bindFormula(formula, data)
    if (bound === null) throw new Error(`${name}: ${JSON.stringify(misfits)}`)
    return { number: i + 1, bound }
  })
  const { adjustments, blocked } = evaluate({
    versions,
    cuts: noCuts,
    tag: null,
    until: endOfTime,
    today: null,
    after: null,
  })
  const adjustment = adjustments.find(each => each.period === period)
  if (adjustment === undefined) throw new Error(`${name}: ${JSON.stringify(blocked)}`)
  const texts = new Map(checked.map(({ document }, i) => [i + 1, calculatingText(document)]))
  const body = buildBody(adjustment, versions, surroundingsOf(versions.at(-1)!.bound.formula, texts))
  return goldenSeal.issue({ hash: hashOf(body), body, signatures: [] })
}
