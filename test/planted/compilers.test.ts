// Golden receipts say "same" whatever today's compiler makes of their documents: they are replayed from the lines in
// them. Other compilers are planted in separate processes. Also shown: that they really differ, and that a replay that
// used the compiler would be found.
import { describe, expect, test } from 'vitest'
import { readGolden } from '../golden/files.ts'
import { someOf } from '../support/run/long-form.ts'
import { noCompiler, otherNumbers, otherWords, type ReplayedGolden, replayThatCompiles } from './compilers.ts'
import type { Exchange } from './plant.ts'
import { runPlanted } from './planted-process.ts'

const golden = readGolden()
/** Receipts whose governing document has a clause, which is what a compiler is for. */
const ofClauses = [...golden].filter(([, text]) => {
  const { body } = JSON.parse(text)
  return JSON.parse(body.documents[body.formulaVersion]).clause !== undefined
})

async function verify(how: 'judge' | 'replay', exchanges: readonly Exchange[]) {
  const { status, out, err } = await runPlanted('run-with-compiler.ts', [how, JSON.stringify(exchanges)])
  expect([status, err]).toEqual([0, ''])
  return JSON.parse(out) as Readonly<Record<string, ReplayedGolden>>
}

function troubled(outcomes: Readonly<Record<string, ReplayedGolden>>): readonly string[] {
  return Object.entries(outcomes).flatMap(([name, { problems }]) => problems.map(problem => `${name}: ${problem}`))
}

const compilersOf = (outcomes: Readonly<Record<string, ReplayedGolden>>) =>
  ofClauses.map(([name]) => outcomes[name]!.compiler)

describe('golden receipts are the same', () => {
  // One of them; all in the long form.
  test.each(
    someOf('compilers', 'compilers that write other words', Object.entries(otherWords), {
      oneIn: Object.keys(otherWords).length,
    }),
  )('with a compiler that writes %s', async (words, exchanges) => {
    const outcomes = await verify('judge', exchanges)
    expect(Object.keys(outcomes)).toEqual([...golden.keys()])
    expect(troubled(outcomes)).toEqual([])
    const compilers = compilersOf(outcomes)
    const others = compilers.filter(compiler => compiler?.writesSameSteps === false)
    expect(others.length).toBeGreaterThan(words === 'terms in another order' ? 40 : ofClauses.length - 1)
    expect(compilers.filter(compiler => compiler?.givesSameNumber === false)).toEqual([])
  })

  test('with a compiler that gives other numbers, and that is reported separately', async () => {
    const outcomes = await verify('judge', otherNumbers)
    expect(troubled(outcomes)).toEqual([])
    const wrong = compilersOf(outcomes).filter(compiler => compiler?.givesSameNumber === false)
    expect(wrong.length).toBeGreaterThan(50)
  })

  test('without any compiler', async () => {
    expect(troubled(await verify('replay', noCompiler))).toEqual([])
  })
})

describe('a replay that uses the compiler', () => {
  test('is found by other numbers, and by a compiler that throws', async () => {
    expect(troubled(await verify('replay', [replayThatCompiles, ...otherNumbers])).length).toBeGreaterThan(50)
    const asked = troubled(await verify('replay', [replayThatCompiles, ...noCompiler]))
    expect(asked.filter(each => each.includes('the compiler was asked'))).toHaveLength(ofClauses.length)
  })
})
