// The expression language of steps: its own small grammar, no evaluation of anything else. Parsing gives a tree or one problem
// with its place; resolve.ts decides what names mean.
import { type Ratio, ratio } from '../numbers/ratio.ts'

export type BinaryOperator = '+' | '-' | '*' | '/' | '<' | '<=' | '>' | '>=' | '==' | '!=' | 'and' | 'or'

export type Expression =
  | { readonly kind: 'number'; readonly value: Ratio; readonly text: string; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly part: string | null; readonly at: number }
  | { readonly kind: 'negate' | 'not'; readonly of: Expression; readonly at: number }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
      readonly at: number
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[]; readonly at: number }

export const callNames = [
  'min',
  'max',
  'abs',
  'sum',
  'avg',
  'if',
  'round',
  'trunc',
  'ceil',
  'floor',
  'clamp',
  'lookup',
  'prev',
  'mod',
  'pow',
] as const
type CallName = (typeof callNames)[number]

/** The notation of each call, with a short explanation where the form alone does not say what it returns. */
export const callWords: Readonly<Record<CallName, string>> = {
  min: 'min(a, b, …)',
  max: 'max(a, b, …)',
  abs: 'abs(x)',
  sum: 'sum(a, b, …)',
  avg: 'avg(a, b, …)',
  if: 'if(condition, then, else)',
  round: 'round(x, decimals): half up',
  trunc: 'trunc(x, decimals): cut off',
  ceil: 'ceil(x, decimals): always up',
  floor: 'floor(x, decimals): always down',
  clamp: 'clamp(x, low, high)',
  lookup: 'lookup(table, x)',
  prev: 'prev(step, initial): its value a period before',
  mod: 'mod(a, b): the rest, with the sign of b',
  pow: 'pow(x, n), or pow(x, y, decimals) for fractions',
}

const expressionBounds = { depth: 32, nodes: 500, characters: 8000 } as const

export class ExpressionProblem extends Error {
  /** Counted from 1. */
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.name = 'ExpressionProblem'
    this.at = at + 1
  }
}

type TokenKind = 'number' | 'name' | 'symbol' | 'end'
interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly at: number
}

const tokenPattern =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<name>[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?)|(?<symbol><=|>=|==|!=|[-+*/<>(),]))/uy

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    if (source.slice(at).trim() === '') break
    tokenPattern.lastIndex = at
    const match = tokenPattern.exec(source)
    if (!match) throw unexpectedCharacter(source, at)
    const groups = match.groups!
    const kind = groups.number !== undefined ? 'number' : groups.name !== undefined ? 'name' : 'symbol'
    const text = groups[kind]!
    at = tokenPattern.lastIndex
    const next = source[at]
    if (kind === 'number' && next !== undefined && /[\p{L}\p{N}_.]/u.test(next))
      throw new ExpressionProblem(`"${text}${next}" is not a number; write decimals such as 0.85`, at - text.length)
    if (kind === 'name' && next === '.')
      throw new ExpressionProblem(
        `"${text}." goes too deep; a reading has one part: .base, .prev or .last`,
        at - text.length,
      )
    tokens.push({ kind, text, at: at - text.length })
  }
  tokens.push({ kind: 'end', text: '', at: source.length })
  return tokens
}

function unexpectedCharacter(source: string, from: number): ExpressionProblem {
  const at = from + (source.slice(from).length - source.slice(from).trimStart().length)
  const character = String.fromCodePoint(source.codePointAt(at)!)
  const hints: Readonly<Record<string, string>> = {
    '=': 'compare with ==',
    '%': 'divide by 100 instead',
    '^': 'write pow(x, n)',
    '&': 'write and between two comparisons',
    '|': 'write or between two comparisons',
    '!': 'write not before a comparison',
    '.': 'write 0.5 with its leading zero',
  }
  const hint = hints[character]
  return new ExpressionProblem(
    `${character === '"' ? 'a quotation mark' : `"${character}"`} is not understood${hint === undefined ? '' : `: ${hint}`}`,
    at,
  )
}

const levels: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  ['<', '<=', '>', '>=', '==', '!='],
  ['+', '-'],
  ['*', '/'],
]
const comparisonLevel = 2

/** The tree of an expression; throws an ExpressionProblem. `bounded` is false only for what the clause compiler writes. */
export function parseExpression(source: string, bounded = true): Expression {
  if (bounded && source.length > expressionBounds.characters)
    throw new ExpressionProblem(`longer than ${expressionBounds.characters} characters`, expressionBounds.characters)
  return new Parser(tokenize(source), bounded).parse()
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #bounded: boolean
  #next = 0
  #depth = 0
  #nodes = 0

  constructor(tokens: readonly Token[], bounded: boolean) {
    this.#tokens = tokens
    this.#bounded = bounded
  }

  parse(): Expression {
    if (this.#peek().kind === 'end') throw new ExpressionProblem('the expression is empty', 0)
    const tree = this.#binary(0)
    const rest = this.#peek()
    if (rest.kind !== 'end') throw new ExpressionProblem(`"${rest.text}" is not expected here`, rest.at)
    return tree
  }

  #peek(): Token {
    return this.#tokens[this.#next]!
  }

  #take(): Token {
    return this.#tokens[this.#next++]!
  }

  #count<T extends Expression>(node: T): T {
    this.#nodes++
    if (this.#bounded && this.#nodes > expressionBounds.nodes)
      throw new ExpressionProblem(`more than ${expressionBounds.nodes} parts; split it into steps`, node.at)
    return node
  }

  #nested<T>(at: number, parse: () => T): T {
    this.#depth++
    if (this.#depth > expressionBounds.depth)
      throw new ExpressionProblem(`nested more than ${expressionBounds.depth} deep; split it into steps`, at)
    const result = parse()
    this.#depth--
    return result
  }

  #binary(level: number): Expression {
    const operators = levels[level]
    if (operators === undefined) return this.#unary()
    // `not` binds weaker than comparisons: `not a < b` means `not (a < b)`.
    if (level === comparisonLevel && this.#peek().text === 'not') return this.#not()
    let left = this.#binary(level + 1)
    for (;;) {
      const operator = operators.find(candidate => candidate === this.#peek().text)
      if (operator === undefined) return left
      const { at } = this.#take()
      const right = this.#binary(level + 1)
      left = this.#count({ kind: 'binary', operator, left, right, at })
      if (level === comparisonLevel && operators.some(candidate => candidate === this.#peek().text))
        throw new ExpressionProblem('comparisons do not chain; join two of them with and', this.#peek().at)
    }
  }

  #not(): Expression {
    const { at } = this.#take()
    return this.#nested(at, () => this.#count({ kind: 'not', of: this.#binary(comparisonLevel), at }))
  }

  #unary(): Expression {
    const token = this.#peek()
    if (token.kind !== 'symbol' || token.text !== '-') return this.#primary()
    this.#take()
    return this.#nested(token.at, () => this.#count({ kind: 'negate', of: this.#unary(), at: token.at }))
  }

  #primary(): Expression {
    const token = this.#take()
    if (token.kind === 'number') return this.#number(token)
    if (token.kind === 'name') return this.#peek().text === '(' ? this.#call(token) : this.#name(token)
    if (token.text === '(') {
      return this.#nested(token.at, () => {
        const inner = this.#binary(0)
        this.#expect(')', token)
        return inner
      })
    }
    if (token.kind === 'end') throw new ExpressionProblem('the expression ends too soon', token.at)
    throw new ExpressionProblem(`"${token.text}" is not expected here`, token.at)
  }

  #number({ text, at }: Token): Expression {
    if (text.replace('.', '').length > 60) throw new ExpressionProblem('a number has at most 60 digits', at)
    return this.#count({ kind: 'number', value: ratio(text), text, at })
  }

  #name({ text, at }: Token): Expression {
    if (text === 'and' || text === 'or' || text === 'not')
      throw new ExpressionProblem(`"${text}" is not expected here`, at)
    const [name, part = null] = text.split('.') as [string, string?]
    return this.#count({ kind: 'name', name, part, at })
  }

  #call({ text, at }: Token): Expression {
    const open = this.#take()
    const list: Expression[] = []
    return this.#nested(at, () => {
      if (this.#peek().text !== ')') {
        list.push(this.#binary(0))
        while (this.#peek().text === ',') {
          this.#take()
          list.push(this.#binary(0))
        }
      }
      this.#expect(')', open)
      return this.#count({ kind: 'call', name: text, arguments: list, at })
    })
  }

  #expect(symbol: string, opened: Token): void {
    const token = this.#take()
    if (token.kind === 'symbol' && token.text === symbol) return
    if (token.kind === 'end')
      throw new ExpressionProblem(`the bracket opened at character ${opened.at + 1} is not closed`, token.at)
    throw new ExpressionProblem(`"${token.text}" is not expected here`, token.at)
  }
}
