import { describe, expect, test } from 'vitest'
import { formatCarried, type Ratio, ratio } from '../numbers/ratio.ts'
import { WorkBudget } from '../numbers/work-budget.ts'
import { parseExpression } from './expression.ts'
import { resolveExpression, type Scope, type StepContext } from './resolve.ts'

const scope: Scope = {
  inputs: ['steel', 'labour'],
  params: ['rate'],
  tables: [
    {
      name: 'fuel',
      rows: [
        { edge: ratio('1'), closed: false, value: ratio('10') },
        { edge: ratio('2'), closed: true, value: ratio('20') },
        { edge: null, closed: false, value: ratio('30') },
      ],
    },
  ],
  steps: ['first', 'here', 'later'],
  visible: 1,
  hasPrice: true,
  isCompiled: false,
}

/** Answers with numbers that show where they come from, and records the questions. */
class NotingContext implements StepContext {
  readonly work = new WorkBudget()
  readonly asked: string[] = []
  readonly #previous: Ratio | undefined

  constructor(previous?: string) {
    this.#previous = previous === undefined ? undefined : ratio(previous)
  }

  reading(input: number, kind: string): Ratio {
    return this.#note(`${scope.inputs[input]} ${kind}`, input === 0 ? '3' : '5')
  }

  param(): Ratio {
    return this.#note('rate', '7')
  }

  builtin(name: string): Ratio {
    return this.#note(name, '11')
  }

  step(): Ratio {
    return this.#note('first', '13')
  }

  previous(index: number): Ratio | undefined {
    this.asked.push(`prev ${scope.steps[index]}`)
    return this.#previous
  }

  #note(what: string, value: string): Ratio {
    this.asked.push(what)
    return ratio(value)
  }
}

function run(source: string, context = new NotingContext()): string {
  const { expression, problems } = resolveExpression(parseExpression(source), scope)
  if (expression === null) throw new Error(problems.map(({ message }) => message).join('; '))
  return formatCarried(expression.evaluate(context))
}

function problemsOf(source: string, changes: Partial<Scope> = {}): string[] {
  return resolveExpression(parseExpression(source), { ...scope, ...changes }).problems.map(
    ({ message, at }) => `${at} ${message}`,
  )
}

describe('calls', () => {
  test.each([
    ['min(3, -1, 2)', '-1'],
    ['max(3, -1, 2)', '3'],
    ['min(4)', '4'],
    ['abs(-2.5)', '2.5'],
    ['sum(1, 2, 3.5)', '6.5'],
    ['avg(1, 2, 3, 4)', '2.5'],
    ['avg(5)', '5'],
    ['round(2.345, 2)', '2.35'],
    ['round(-2.345, 2)', '-2.35'],
    ['round(1250, -2)', '1300'],
    ['trunc(-2.349, 2)', '-2.34'],
    ['ceil(2.341, 2)', '2.35'],
    ['ceil(-2.349, 2)', '-2.34'],
    ['floor(2.349, 2)', '2.34'],
    ['floor(-2.341, 2)', '-2.35'],
    ['clamp(7, 1, 5)', '5'],
    ['clamp(-7, 1, 5)', '1'],
    ['clamp(3, 1, 5)', '3'],
    ['lookup(fuel, 0.99)', '10'],
    ['lookup(fuel, 1)', '20'],
    ['lookup(fuel, 2)', '20'],
    ['lookup(fuel, 2.01)', '30'],
    ['if(1 == 1.0, 2, 3)', '2'],
    ['if(not 1 != 1, 2, 3)', '2'],
    ['if(1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2, 1, 0)', '1'],
    ['if(if(1 < 2, 2 < 1, 1 < 2), 1, 0)', '0'],
    ['1 - 2 / 4 * -3', '2.5'],
  ])('computes %s: %s', (source, expected) => {
    expect(run(source)).toBe(expected)
  })
})

describe('names', () => {
  test('reads inputs, params, earlier steps and the names known everywhere', () => {
    const context = new NotingContext()
    expect(run('steel + steel.base + labour.prev + labour.last + rate + first + year + price', context)).toBe('58')
    expect(context.asked).toEqual([
      'steel current',
      'steel base',
      'labour prev',
      'labour last',
      'rate',
      'first',
      'year',
      'price',
    ])
  })

  test('accepts prev of any step, its own and later ones too, and uses the initial value only if there is none', () => {
    const known = new NotingContext('17')
    expect(run('prev(here, steel) + prev(later, steel)', known)).toBe('34')
    expect(known.asked).toEqual(['prev here', 'prev later'])
    const unknown = new NotingContext()
    expect(run('prev(here, steel.base * 2)', unknown)).toBe('6')
    expect(unknown.asked).toEqual(['prev here', 'steel base'])
  })

  test('lists every reading that any branch may ask for', () => {
    const { expression } = resolveExpression(parseExpression('if(year > 1, steel.base, labour)'), scope)
    expect(expression!.readings).toEqual([
      { input: 0, kind: 'base' },
      { input: 1, kind: 'current' },
    ])
  })
})

describe('laziness', () => {
  test.each([
    ['if(1 < 2, steel, labour / 0)', ['steel current']],
    ['if(2 < 1, labour / 0, steel)', ['steel current']],
    ['if(2 < 1 and labour / 0 > 1, 1, 2)', []],
    ['if(1 < 2 or labour / 0 > 1, 1, 2)', []],
    ['if(1 < 2 and rate > 1, first, labour)', ['rate', 'first']],
  ])('takes of %s only %j', (source, asked) => {
    const context = new NotingContext()
    run(source, context)
    expect(context.asked).toEqual(asked)
  })

  test('evaluates every argument of other calls', () => {
    const context = new NotingContext()
    run('max(steel, labour, rate)', context)
    expect(context.asked).toHaveLength(3)
  })
})

describe('problems', () => {
  test('names every problem of one expression, each with its place', () => {
    expect(problemsOf('stel + labour.first + later + nothing(1)').map(problem => problem.split(' ')[0])).toEqual([
      '1',
      '8',
      '23',
      '31',
    ])
  })

  test.each([
    ['stel', 'did you mean "steel"?'],
    ['here', 'used before its step'],
    ['later', 'used before its step'],
    ['fuel', 'lookup(fuel, x)'],
    ['steel.current', 'not a reading'],
    ['first.base', 'not an input'],
    ['nobody.base', 'unknown input'],
    ['steel > 1', 'a number is needed'],
    ['if(steel, 1, 2)', 'a comparison is needed'],
    ['-(1 < 2)', 'a number is needed'],
    ['1 + (1 < 2)', 'a number is needed'],
    ['if(1 < 2, 1, 1 < 2)', 'both'],
    ['lookup(rate, 1)', 'name of a table'],
    ['prev(rate, 1)', 'name of a step'],
    ['prev(steel.base, 1)', 'name of a step'],
    ['round(1, 0.5)', 'whole number'],
    ['round(1, -31)', 'whole number'],
    ['hasOwnProperty(1, 2)', 'unknown call'],
    ['valueOf(1, 2)', 'unknown call'],
  ])('refuses %s: %s', (source, words) => {
    expect(problemsOf(source).join()).toContain(words)
  })

  test('knows no price where the contract has none', () => {
    expect(problemsOf('price', { hasPrice: false, isCompiled: false }).join()).toContain('contract.price')
  })
})
