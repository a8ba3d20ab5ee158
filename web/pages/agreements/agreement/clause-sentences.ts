// An agreement's document in the words of the builder, for everybody who reads it, line by line. Nothing is computed.
import { type Expression, ExpressionProblem, parseExpression } from '../../../../src/core/formula/expression.ts'
import { isRawList, isRawMap, type Raw } from '../../../../src/core/formula/raw.ts'
import { formatFigure, sentenceCase } from '../../../components/words/words.ts'
import { hasAt, keysAt, listAt, openDocument, rawAt, textAt } from '../builder/document/document.ts'
import { readRounding } from '../builder/document/shapes.ts'
import { clauseLines, formatClauseLineInWords } from '../builder/form/clause-lines.ts'
import {
  formatBillingInWords,
  formatCalendarInWords,
  formatChangeInWords,
  formatCorrectionsInWords,
  formatPartiesInWords,
  formatPriceInWords,
} from '../builder/form/contract-sentences.ts'
import {
  formatDayInWords,
  formatReadingInWords,
  formatRoundingInWords,
  formatShareInWords,
} from '../builder/form/sentences.ts'

export interface InputWords {
  readonly name: string
  /** `35 %`; null if the input has no weight. */
  readonly share: string | null
  readonly reading: string
  readonly reference: string
}

export interface TableWords {
  readonly name: string
  readonly rows: readonly { readonly range: string; readonly value: string }[]
}

interface StepWords {
  readonly name: string
  readonly words: string
  readonly note: string
}

export interface AgreedWords {
  readonly contract: readonly string[]
  readonly inputs: readonly InputWords[]
  readonly clause: readonly string[]
  readonly params: readonly string[]
  readonly tables: readonly TableWords[]
  readonly steps: readonly StepWords[]
  /** Result of the steps; empty if there is only a clause. */
  readonly result: string
}

/** The agreed terms in words; null if the text cannot be read as a document. */
export function formatAgreed(text: string, nameOf: (slug: string) => string): AgreedWords | null {
  const { root, unreadable } = openDocument(text)
  if (unreadable !== null) return null
  return {
    contract: [
      formatCalendarInWords(root),
      formatPriceInWords(root),
      formatPartiesInWords(root, nameOf),
      ...(formatChangeInWords(root) === '' ? [] : [formatChangeInWords(root)]),
      ...(['references', 'priceDate', 'prorate'].some(key => hasAt(root, ['contract', key]))
        ? [formatBillingInWords(root)]
        : []),
      ...(hasAt(root, ['corrections']) ? [formatCorrectionsInWords(root)] : []),
    ],
    inputs: keysAt(root, ['inputs']).map(name => formatInput(name, rawAt(root, ['inputs', name]))),
    clause: hasAt(root, ['clause']) ? clauseLines.map(line => formatClauseLineInWords(root, line)) : [],
    params: keysAt(root, ['params']).map(
      name => `${plainName(name)} is ${formatParam(rawAt(root, ['params', name]))}.`,
    ),
    tables: keysAt(root, ['tables']).map(name => ({
      name: plainName(name),
      rows: formatRows(rawAt(root, ['tables', name])),
    })),
    steps: listAt(root, ['steps']).map(formatStep),
    result: hasAt(root, ['result', 'kind']) ? formatResult(root) : '',
  }
}

function formatInput(name: string, input: Raw | undefined): InputWords {
  const weight = textAt(input, ['weight'])
  return {
    name: plainName(name),
    share: weight === '' ? null : formatShareInWords(weight),
    reading: formatReadingInWords(input),
    reference: textAt(input, ['series']),
  }
}

const plainName = (name: string) => name.replaceAll('_', ' ')

/** `3`, or `3 from 1 Jan 2024, 4 from 1 Jan 2025`. */
function formatParam(raw: Raw | undefined): string {
  if (!isRawList(raw)) return typeof raw === 'string' ? formatFigure(raw) : '…'
  return raw
    .map(each => `${formatFigure(textAt(each, ['value']))} from ${formatDayInWords(textAt(each, ['from']))}`)
    .join(', ')
}

function formatRows(raw: Raw | undefined): TableWords['rows'] {
  if (!isRawList(raw)) return []
  const edges = raw.map(row => ({ below: textAt(row, ['below']), atMost: textAt(row, ['atMost']) }))
  return raw.map((row, i) => {
    const { below, atMost } = edges[i]!
    const before = edges[i - 1]
    const last =
      before === undefined ? 'any' : before.below === '' ? `above ${before.atMost}` : `${before.below} or more`
    return {
      range: below === '' ? (atMost === '' ? last : `up to ${atMost}`) : `below ${below}`,
      value: formatFigure(textAt(row, ['value'])),
    }
  })
}

function formatStep(step: Raw): StepWords {
  const rounding = readRounding(rawAt(step, ['round']))
  const rounded = rounding.kind === 'LEFT_OUT' ? '' : `, ${formatRoundingInWords(rounding)}`
  return {
    name: plainName(textAt(step, ['name'])),
    words: `${formatExpressionText(textAt(step, ['expr']))}${rounded}`,
    note: isRawMap(step) ? textAt(step, ['note']) : '',
  }
}

const kindWords: Readonly<Record<string, string>> = {
  FACTOR: 'is the price factor: the price divided by the price at the start',
  CHANGE_PCT: 'is the percentage by which the price changes in the period',
  PRICE: 'is the price',
  SURCHARGE: 'is added to the contract’s price',
}

function formatResult(root: Raw): string {
  const step = textAt(root, ['result', 'step'])
  const words = kindWords[textAt(root, ['result', 'kind'])]
  return step === '' || words === undefined ? '' : `${sentenceCase(plainName(step))} ${words}.`
}

/** An expression in words; text that cannot be parsed stays as it is. */
export function formatExpressionText(text: string): string {
  try {
    return formatTree(parseExpression(text, true), 0)
  } catch (error) {
    if (error instanceof ExpressionProblem) return text
    throw error
  }
}

const operatorSigns: Readonly<Record<string, readonly [sign: string, binding: number]>> = {
  or: ['or', 1],
  and: ['and', 2],
  '<': ['is below', 4],
  '<=': ['is at most', 4],
  '>': ['is above', 4],
  '>=': ['is at least', 4],
  '==': ['is', 4],
  '!=': ['is not', 4],
  '+': ['+', 5],
  '-': ['−', 5],
  '*': ['×', 6],
  '/': ['÷', 6],
}

const partWords: Readonly<Record<string, string>> = {
  base: 'at the base',
  prev: 'of the period before',
  last: 'at the last adjustment',
}

function formatTree(tree: Expression, outer: number): string {
  switch (tree.kind) {
    case 'number':
      return tree.text
    case 'name': {
      const name = plainName(tree.name)
      return tree.part === null ? name : `${name} ${partWords[tree.part] ?? tree.part}`
    }
    case 'negate':
      return `−${formatTree(tree.of, 7)}`
    case 'not':
      return `not ${formatTree(tree.of, 3)}`
    case 'binary': {
      const [sign, binding] = operatorSigns[tree.operator]!
      const text = `${formatTree(tree.left, binding)} ${sign} ${formatTree(tree.right, binding + 1)}`
      return binding < outer ? `(${text})` : text
    }
    case 'call':
      return formatCall(tree.name, tree.arguments, outer)
  }
}

function formatCall(name: string, list: readonly Expression[], outer: number): string {
  const said = list.map(each => formatTree(each, 0))
  const [a = '', b = '', c = ''] = said
  const inBrackets = (text: string) => (outer > 0 ? `(${text})` : text)
  switch (name) {
    case 'lookup':
      return inBrackets(`the value of the table ${a} for ${b}`)
    case 'prev':
      return inBrackets(`${a} of the period before, initially ${b}`)
    case 'if':
      return inBrackets(`${b} if ${a}, otherwise ${c}`)
    case 'min':
      return inBrackets(`the lowest of ${said.join(', ')}`)
    case 'max':
      return inBrackets(`the highest of ${said.join(', ')}`)
    case 'sum':
      return inBrackets(`the sum of ${said.join(', ')}`)
    case 'avg':
      return inBrackets(`the average of ${said.join(', ')}`)
    case 'abs':
      return inBrackets(`${a} without its sign`)
    case 'clamp':
      return inBrackets(`${a}, at least ${b} and at most ${c}`)
    case 'round':
      return inBrackets(`${a} rounded to ${b} decimals`)
    case 'trunc':
      return inBrackets(`${a} cut to ${b} decimals`)
    case 'ceil':
      return inBrackets(`${a} rounded up to ${b} decimals`)
    case 'floor':
      return inBrackets(`${a} rounded down to ${b} decimals`)
    case 'mod':
      return inBrackets(`the remainder of ${a} divided by ${b}`)
    case 'pow':
      return inBrackets(`${a} to the power of ${b}${c === '' ? '' : `, rounded to ${c} decimals`}`)
    default:
      return `${name}(${said.join(', ')})`
  }
}
