// Bad expressions, one for each way to be wrong, with words of every problem each of them has.
import { expressionText, stepsText } from '../support/agreements/document-text.ts'
import type { BadDocument, ExpectedProblem } from './bad-documents.ts'

function bad(name: string, text: string, ...problems: ExpectedProblem[]): BadDocument {
  return { name, text, problems }
}

function expression(name: string, expr: string, ...words: string[]): BadDocument {
  return bad(name, expressionText(expr), ...words.map((word): ExpectedProblem => ['steps[0].expr', word]))
}

export const badExpressions: readonly BadDocument[] = [
  expression('no expression', '', 'empty'),
  expression('blanks for an expression', '   ', 'empty'),
  expression('an expression that ends with an operator', '1 +', 'ends too soon'),
  expression('an expression that begins with an operator', '* 2', '"*" is not expected here, at character 1'),
  expression('a bracket that is not closed', '(1 + 2', 'opened at character 1'),
  expression('a call that is not closed', 'min(1, 2', 'not closed'),
  expression('a bracket too many', '1 + 2)', '")" is not expected here, at character 6'),
  expression('two numbers in a row', '1 2', '"2" is not expected here, at character 3'),
  expression('an empty argument', 'min(1, , 2)', '"," is not expected'),
  expression('empty brackets', '()', '")" is not expected'),
  expression('one sign of equality', 'steel = 1', 'compare with =='),
  expression('a percent sign', '50%', 'divide by 100'),
  expression('a power', 'steel ^ 2', 'pow(x, n)'),
  expression('an ampersand', '1 < 2 && 2 < 3', 'write and'),
  expression('an upright bar', '1 < 2 || 2 < 3', 'write or'),
  expression('an exclamation mark', 'if(!(1 < 2), 1, 2)', 'write not'),
  expression('a number without its zero', '.5', 'leading zero'),
  expression('a number in exponents', '1e5', '"1e" is not a number'),
  expression('a number with two points', '1.2.3', 'is not a number'),
  expression('a number with a comma', '1,5', '"," is not expected'),
  expression('a number of 61 digits', '1'.repeat(61), '60 digits'),
  expression('quotation marks', '"steel"', 'is not understood'),
  expression('a character from elsewhere', 'steel × 2', '"×" is not understood'),
  expression('a picture', 'steel + 😀', '"😀" is not understood'),
  expression('a semicolon', '1; 2', '";" is not understood'),
  expression('a line of code', 'process.exit(1)', 'process'),
  expression('comparisons in a chain', 'if(1 < steel < 3, 1, 2)', 'do not chain'),
  expression('a comparison for a number', 'steel > 1', 'a number is needed'),
  expression('a number for a comparison', 'if(steel, 1, 2)', 'a comparison is needed'),
  expression('numbers joined with and', 'if(1 and 2, 1, 2)', 'a comparison is needed', 'a comparison is needed'),
  expression('a number denied', 'if(not steel, 1, 2)', 'a comparison is needed'),
  expression('an operator for a name', 'steel + and', '"and" is not expected'),
  expression('if with one value', 'if(1 < 2, 3)', 'two values'),
  expression('if with a number and a comparison', 'if(1 < 2, 3, 4 < 5)', 'both be numbers'),
  expression('a mistyped name', 'stel / 2', 'did you mean "steel"?'),
  expression('an unknown name', 'copper', 'unknown name "copper"'),
  expression('a mistyped call', 'maxx(1, 2)', 'did you mean "max"?'),
  expression('an unknown call', 'sqrt(2)', 'unknown call "sqrt"'),
  expression('a call that objects inherit', 'toString(1.5, 0)', 'unknown call "toString"'),
  expression('a call named constructor', 'constructor(1.5, 0)', 'unknown call "constructor"'),
  expression('a name that objects inherit', 'hasOwnProperty + __proto__', 'hasOwnProperty', '__proto__'),
  expression('a reading nobody takes', 'steel.first', '"steel.first" is not a reading'),
  expression('a reading of a reading', 'steel.base.prev', 'steel.base'),
  expression('a reading of an unknown input', 'copper.base', 'unknown input "copper"'),
  expression('the step itself without prev', 'factor * 2', 'prev(factor'),
  expression('prev of nothing known', 'prev(facto, 1)', 'did you mean "factor"?'),
  expression('prev of an input', 'prev(steel, 1)', 'name of a step'),
  expression('prev without an initial value', 'prev(factor)', 'initial value'),
  expression('a table nobody wrote', 'lookup(fuel, 1)', 'name of a table'),
  expression('lookup without a number', 'lookup(1)', 'a table and a number'),
  expression('round without decimals', 'round(1)', '2 arguments, got 1'),
  expression('round with half a decimal', 'round(1, 1.5)', 'whole number'),
  expression('round with a name for decimals', 'round(1, steel)', 'whole number'),
  expression('round with 31 decimals', 'round(1, 31)', 'whole number'),
  expression('two numbers without their signs', 'abs(1, 2)', '1 argument, got 2'),
  expression('the least of nothing', 'min()', 'at least one'),
  expression('a clamp without its top', 'clamp(1, 2)', '3 arguments, got 2'),
  expression('a price nobody wrote', 'price * 2', 'contract.price'),
  expression('33 brackets', `${'('.repeat(33)}1${')'.repeat(33)}`, 'nested more than 32'),
  expression('33 signs', `${'-'.repeat(33)}1`, 'nested more than 32'),
  expression('33 calls', `${'abs('.repeat(33)}1${')'.repeat(33)}`, 'nested more than 32'),
  expression('501 parts', `1${' + 1'.repeat(250)}`, 'more than 500'),
  expression('8001 characters', `1${' '.repeat(8000)}`, '8000'),
  expression('four problems in one expression', 'stel + mx(1) + steel.x + price', 'stel', 'mx', 'steel.x', 'price'),
  bad(
    'a table used as a number',
    stepsText({
      tables: '{ fuel: [{ value: 1 }] }',
      steps: '[{ name: factor, expr: "fuel + 1" }]',
    }),
    ['steps[0].expr', 'lookup(fuel'],
  ),
  bad('a reading of a param', stepsText({ params: '{ rate: 1 }', steps: '[{ name: factor, expr: "rate.base" }]' }), [
    'steps[0].expr',
    'not an input',
  ]),
  bad(
    'a wrong price amount, and not the name price besides',
    stepsText({
      contract: '{ start: 2024-01-01, frequency: ANNUAL, price: { amount: much, currency: EUR } }',
      steps: '[{ name: factor, expr: "price / price" }]',
    }),
    ['contract.price.amount', '"much"'],
  ),
]
