// As much of Power Query's language as our section document uses, to run it without Excel: its syntax is read by Microsoft's own
// parser, and what Excel would ask the web for is asked by a function that is given.
import { createRequire } from 'node:module'

interface Node {
  readonly kind: string
  readonly [field: string]: unknown
}

interface Parsed {
  readonly resultKind: string
  readonly ast: Node
  readonly error?: Error
}

interface PowerQueryParser {
  readonly DefaultSettings: unknown
  readonly TaskUtils: { tryLexParse(settings: unknown, text: string): Promise<Parsed> }
}

type Value = unknown
type Scope = Readonly<Record<string, Value>>
type Callable = (...values: Value[]) => Promise<Value> | Value

/** A request as `Web.Contents` is told to make it, and what came back. */
export interface WebRequest {
  readonly address: string
  readonly relativePath: string
  readonly query: Readonly<Record<string, string>>
  readonly isRetry: boolean
}

export interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Surroundings {
  /** The cells that have a name. */
  readonly cells: Readonly<Record<string, string | null>>
  readonly ask: (request: WebRequest) => Promise<WebAnswer>
  /** Seconds that it was told to wait. */
  readonly waited: number[]
}

/** The syntax tree of a document; throws where it cannot be read. */
export async function parsePowerQuery(text: string): Promise<Node> {
  const { DefaultSettings, TaskUtils } = createRequire(import.meta.url)(
    '@microsoft/powerquery-parser',
  ) as PowerQueryParser
  const { resultKind, ast, error } = await TaskUtils.tryLexParse(DefaultSettings, text)
  if (resultKind !== 'Ok') throw error ?? new Error('the document cannot be read')
  return ast
}

/** What a member of a section document is, computed. */
export async function evaluateMember(text: string, name: string, around: Surroundings): Promise<Value> {
  const section = await parsePowerQuery(text)
  const members = elementsOf(section.sectionMembers).map(each => each.namePairedExpression as Node)
  const expressions = new Map(members.map(each => [literalOf(each.key), each.value as Node]))
  const evaluator = new Evaluator(expressions, library(around))
  return evaluator.value({ kind: 'IdentifierExpression', identifier: { kind: 'Identifier', literal: name } }, {})
}

const elementsOf = (wrapper: unknown) => (wrapper as { elements: readonly Node[] }).elements
const literalOf = (node: unknown) => (node as { literal: string }).literal
const constantOf = (node: unknown) => (node as { constantKind: string }).constantKind
/** The members of a list with commas. */
const membersOf = (content: unknown) => elementsOf(content).map(each => each.node as Node)

class Evaluator {
  readonly #members: ReadonlyMap<string, Node>
  readonly #library: Scope

  constructor(members: ReadonlyMap<string, Node>, library: Scope) {
    this.#members = members
    this.#library = library
  }

  async value(node: Node, scope: Scope): Promise<Value> {
    const at = (name: string) => this.value(node[name] as Node, scope)
    switch (node.kind) {
      case 'LiteralExpression':
        return readLiteral(node)
      case 'IdentifierExpression':
        return this.#named(literalOf(node.identifier), scope)
      case 'ParenthesizedExpression':
        return at('content')
      case 'LetExpression':
        return this.value(node.expression as Node, await this.#bind(membersOf(node.variableList), scope))
      case 'IfExpression':
        return (await at('condition')) === true ? at('trueExpression') : at('falseExpression')
      case 'ErrorRaisingExpression':
        throw new Error(String(await at('paired')))
      case 'FunctionExpression':
        return this.#function(node, scope)
      case 'EachExpression':
        return (_: Value) => this.value(node.paired as Node, { ...scope, _ })
      case 'ListExpression':
        return this.#all(membersOf(node.content), scope)
      case 'RecordExpression':
        return this.#record(membersOf(node.content), scope)
      case 'TypePrimaryType':
        return (node.paired as Node).primitiveTypeKind
      case 'FieldSelector':
        return fieldOf(scope._, literalOf(node.content))
      case 'RecursivePrimaryExpression':
        return this.#follow(node, scope)
      case 'IsExpression':
        return isKind(await at('left'), String((node.right as Node).primitiveTypeKind))
      case 'NullCoalescingExpression':
        return (await at('left')) ?? at('right')
      default:
        return this.#operated(node, scope)
    }
  }

  async #operated(node: Node, scope: Scope): Promise<Value> {
    const operator = constantOf(node.operatorConstant)
    const left = await this.value(node.left as Node, scope)
    if (operator === 'and' && left === false) return false
    if (operator === 'or' && left === true) return true
    const right = await this.value(node.right as Node, scope)
    if (operator === 'and' || operator === 'or') return right
    if (operator === '=') return left === right
    if (operator === '<>') return left !== right
    if (operator === '<') return (left as number) < (right as number)
    if (operator === '>') return (left as number) > (right as number)
    if (operator === '+') return (left as number) + (right as number)
    if (operator !== '&') throw new Error(`${node.kind} with ${operator} is not known here`)
    return typeof left === 'string' ? `${left}${String(right)}` : { ...(left as object), ...(right as object) }
  }

  async #named(name: string, scope: Scope): Promise<Value> {
    if (Object.hasOwn(scope, name)) return scope[name]
    const member = this.#members.get(name)
    if (member !== undefined) return this.value(member, {})
    if (!Object.hasOwn(this.#library, name)) throw new Error(`there is no ${name}`)
    return this.#library[name]
  }

  async #bind(variables: readonly Node[], scope: Scope): Promise<Scope> {
    let bound = scope
    for (const { key, value } of variables)
      bound = { ...bound, [literalOf(key)]: await this.value(value as Node, bound) }
    return bound
  }

  #function({ parameters, expression }: Node, scope: Scope): Callable {
    const names = membersOf((parameters as Node).content).map(({ name }) => literalOf(name))
    return (...values) => {
      const given = Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]))
      return this.value(expression as Node, { ...scope, ...given })
    }
  }

  async #all(nodes: readonly Node[], scope: Scope): Promise<Value[]> {
    const values: Value[] = []
    for (const node of nodes) values.push(await this.value(node, scope))
    return values
  }

  async #record(pairs: readonly Node[], scope: Scope): Promise<Scope> {
    const values = await this.#all(
      pairs.map(({ value }) => value as Node),
      scope,
    )
    return Object.fromEntries(pairs.map(({ key }, at) => [literalOf(key), values[at]]))
  }

  async #follow({ head, recursiveExpressions }: Node, scope: Scope): Promise<Value> {
    let value = await this.value(head as Node, scope)
    for (const each of elementsOf(recursiveExpressions)) {
      if (each.kind === 'InvokeExpression')
        value = await (value as Callable)(...(await this.#all(membersOf(each.content), scope)))
      else if (each.kind === 'FieldSelector') value = fieldOf(value, literalOf(each.content))
      else value = itemOf(value as readonly Scope[], await this.value(each.content as Node, scope))
    }
    return value
  }
}

function readLiteral({ literal, literalKind }: Node): Value {
  if (literalKind === 'Text') return String(literal).slice(1, -1).replaceAll('""', '"')
  return literalKind === 'Null' ? null : literalKind === 'Logical' ? literal === 'true' : Number(literal)
}

function fieldOf(value: Value, name: string): Value {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
    throw new Error(`there is no field ${name}`)
  return (value as Scope)[name]
}

/** By its place, or the one row with such fields. */
function itemOf(list: readonly Scope[], key: Value): Value {
  const found =
    typeof key === 'number'
      ? list[key]
      : list.find(row => Object.entries(key as Scope).every(([name, value]) => row[name] === value))
  if (found === undefined) throw new Error(`there is no ${JSON.stringify(key)}`)
  return found
}

function isKind(value: Value, kind: string): boolean {
  if (kind !== 'record') throw new Error(`is ${kind} is not known here`)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type List = readonly Value[]

function library({ cells, ask, waited }: Surroundings): Scope {
  const answers = new WeakMap<object, WebAnswer>()
  return {
    'Excel.CurrentWorkbook': () =>
      Object.entries(cells).map(([Name, cell]) => ({ Name, Content: [{ Column1: cell }] })),
    'Web.Contents': async (address: string, options: Scope) => {
      const known = ['RelativePath', 'Query', 'Headers', 'IsRetry', 'ManualStatusHandling']
      const others = Object.keys(options).filter(name => !known.includes(name))
      if (others.length > 0) throw new Error(`Web.Contents has no ${others.join()}`)
      const query = options.Query as Readonly<Record<string, string>>
      // As Excel refuses it.
      for (const value of Object.values(query)) if (typeof value !== 'string') throw new Error('a query is of texts')
      const answer = await ask({
        address,
        relativePath: String(options.RelativePath),
        query,
        isRetry: options.IsRetry === true,
      })
      if (answer.status !== 200 && !(options.ManualStatusHandling as List).includes(answer.status))
        throw new Error(`DataSource.Error: ${answer.status}`)
      const content = {}
      answers.set(content, answer)
      return content
    },
    'Value.Metadata': (content: object) => {
      const { status, headers } = answers.get(content)!
      return { 'Response.Status': status, Headers: headers }
    },
    'Json.Document': (content: object) => JSON.parse(answers.get(content)!.text),
    'Function.InvokeAfter': (run: Callable, seconds: number) => {
      waited.push(seconds)
      return run()
    },
    '#duration': (_days: number, _hours: number, _minutes: number, seconds: number) => seconds,
    'Error.Record': (reason: string, message: string) => `${reason}: ${message}`,
    'Number.FromText': Number,
    'Text.From': (value: Value) => (value === null ? null : String(value)),
    'Text.Lower': (text: string) => text.toLowerCase(),
    'Text.Trim': (text: string) => text.trim(),
    'Text.TrimEnd': (text: string, end: string) => (text.endsWith(end) ? text.slice(0, -end.length) : text),
    'Text.StartsWith': (text: string, start: string) => text.startsWith(start),
    'Text.Split': (text: string, by: string) => text.split(by),
    'Text.Combine': (texts: readonly string[], by: string) => texts.join(by),
    'Record.Field': fieldOf,
    'Record.FieldOrDefault': (record: Scope, name: string, other: Value = null) => record[name] ?? other,
    'Record.FieldNames': (record: Scope) => Object.keys(record),
    'List.First': (list: List, other: Value = null) => list[0] ?? other,
    'List.Buffer': (list: List) => list,
    'List.Combine': (lists: readonly List[]) => lists.flat(1),
    'List.IsEmpty': (list: List) => list.length === 0,
    'List.Select': async (list: List, isKept: Callable) => {
      const kept = await Promise.all(list.map(each => isKept(each)))
      return list.filter((_, at) => kept[at] === true)
    },
    'List.Transform': async (list: List, to: Callable) => {
      const made: Value[] = []
      for (const each of list) made.push(await to(each))
      return made
    },
    'List.Split': (list: List, size: number) =>
      Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size)),
    'List.Accumulate': async (list: List, seed: Value, step: Callable) => {
      let found = seed
      for (const each of list) found = await step(found, each)
      return found
    },
    'List.Generate': async (first: Callable, isMore: Callable, next: Callable, select: Callable) => {
      const made: Value[] = []
      for (let state = await first(); await isMore(state); state = await next(state)) made.push(await select(state))
      return made
    },
    'Table.FromRows': (rows: readonly List[], names: readonly string[]) =>
      rows.map(row => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
    'Table.TransformColumnTypes': (rows: readonly Scope[], types: readonly (readonly [string, string])[]) =>
      rows.map(row => Object.fromEntries(types.map(([name, kind]) => [name, converted(row[name], kind)]))),
  }
}

/** What Excel would show as an error in a cell is one here. */
function converted(value: Value, kind: string): Value {
  if (value === null || value === undefined) return null
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(String(value))) return Number(value)
  if (kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(String(value))) return value
  if (kind === 'datetimezone' && !Number.isNaN(Date.parse(String(value)))) return value
  if ((kind === 'text' && typeof value === 'string') || (kind === 'logical' && typeof value === 'boolean')) return value
  throw new Error(`${JSON.stringify(value)} is no ${kind}`)
}
