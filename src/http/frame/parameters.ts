// Query parameters: each is a name, a schema for the description and a reader for the request, so that the documentation is the
// check. Unknown and repeated ones are refused; nothing is clamped or guessed.
import { didYouMean } from '../../core/formula/check/suggestion.ts'
import { Refusal } from '../../core/refusal.ts'

export interface Parameter<T> {
  readonly name: string
  readonly description: string
  /** JSON Schema of the text. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: string
  /** True where a request without it is refused. */
  readonly isNeeded?: true
  readonly read: (text: string) => T
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** Values of a set of parameters: null for those left out. */
export type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T | null : never
}

export function refuse(name: string, rule: string, text: string): never {
  const shown = text.length > 80 ? `${text.slice(0, 77)}…` : text
  throw new Refusal('invalid', `${name} must be ${rule}, got ${JSON.stringify(shown)}`)
}

/** Reads the query part of an address. A plus stays a plus: no value has spaces. */
export function readQuery<P extends Parameters>(search: string, parameters: P): Values<P> {
  const values: Record<string, unknown> = {}
  for (const name in parameters) values[name] = null
  if (search !== '')
    for (const pair of search.split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = decode(equals < 0 ? pair : pair.slice(0, equals))
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
      if (parameter === undefined) refuseUnknown(name, Object.keys(parameters))
      if (values[name] !== null) throw new Refusal('invalid', `${name} is given more than once`)
      values[name] = parameter!.read(decode(equals < 0 ? '' : pair.slice(equals + 1)))
    }
  return values as Values<P>
}

function refuseUnknown(name: string, known: readonly string[]): never {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}…` : name)
  const taken = known.length === 0 ? 'this address takes no parameters' : `this address takes ${known.join(', ')}`
  throw new Refusal('invalid', `unknown parameter ${shown}${didYouMean(name.slice(0, 60), known)}; ${taken}`)
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal('invalid', `the address has a broken percent sign in ${JSON.stringify(text.slice(0, 60))}`)
  }
}

export function choiceParameter<T extends string>(
  name: string,
  choices: readonly T[],
  description: string,
): Parameter<T> {
  return {
    name,
    description,
    schema: { type: 'string', enum: choices },
    example: choices[0]!,
    read: text => choices.find(choice => choice === text) ?? refuse(name, `one of ${choices.join(', ')}`, text),
  }
}

const wholeNumber = /^[1-9][0-9]{0,3}$/

export function countParameter(
  name: string,
  most: number,
  usual: number | null,
  description: string,
): Parameter<number> {
  return {
    name,
    description,
    schema: { type: 'integer', minimum: 1, maximum: most, ...(usual === null ? {} : { default: usual }) },
    example: '12',
    read: text => {
      const value = wholeNumber.test(text) ? Number.parseInt(text, 10) : 0
      return value >= 1 && value <= most ? value : refuse(name, `a whole number from 1 to ${most}`, text)
    },
  }
}
