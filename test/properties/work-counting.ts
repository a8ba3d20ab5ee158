// Which numbers count as long, and that every operation on one is charged: by its numerator, a negative one as well, and by
// its denominator.
import { ok, strictEqual, throws } from 'node:assert/strict'
import { add, compare, divide, multiply, negate, type Ratio, roundTo } from '../../src/core/numbers/ratio.ts'
import { isLong, WorkBudget, writingCost } from '../../src/core/numbers/work-budget.ts'

const short = (1n << 512n) - 1n
const three: Ratio = { n: 3n, d: 7n }

/** Numbers that are long in one way only. */
const ways: Readonly<Record<string, (long: bigint) => Ratio>> = {
  numerator: n => ({ n, d: 3n }),
  'negative numerator': n => ({ n: -n, d: 3n }),
  denominator: d => ({ n: 1n, d }),
}

const operations: Readonly<Record<string, (a: Ratio, work: WorkBudget) => unknown>> = {
  add: (a, work) => add(a, three, work),
  multiply: (a, work) => multiply(a, three, work),
  divide: (a, work) => divide(a, three, work),
  compare: (a, work) => compare(a, three, work),
  negate: (a, work) => negate(a, work),
  round: (a, work) => roundTo(a, 2, 'HALF_UP', work),
}

/** A budget of nothing: the first charge throws. */
function nothingLeft(): WorkBudget {
  return new WorkBudget({ units: 0, receiptUnits: 0 }, () => new Error('charged'))
}

/** Throws if a long number is treated as a short one, or is used without a charge. */
export function checkLengths(): void {
  for (const [way, make] of Object.entries(ways)) {
    const [shortest, long, longer] = [make(short), make(short + 1n), make(1n << 4096n)]
    strictEqual(isLong(shortest.n, shortest.d), false, `a ${way} of 512 bits`)
    strictEqual(isLong(long.n, long.d), true, `a ${way} of 513 bits`)
    ok(writingCost(longer.n, longer.d) > writingCost(long.n, long.d), `writing a longer ${way}`)
    for (const [name, operate] of Object.entries(operations)) {
      throws(() => operate(longer, nothingLeft()), /charged/, `${name} of a long ${way}`)
      operate({ n: 5n, d: 9n }, nothingLeft())
    }
  }
}
