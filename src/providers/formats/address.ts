// Addresses: their parameters written and read back, and the spelling in which a series was asked for.
import type { Answer } from '../provider.ts'

/** A parameter of the address that was asked; `null` where it is not known. */
export function askedFor(answer: Answer, name: string): string | null {
  return answer.url !== null && URL.canParse(answer.url) ? new URL(answer.url).searchParams.get(name) : null
}

/** The spelling in which a series was asked for, where it was; else the first of its spellings. */
export function askedSpelling(answer: Answer, spellings: readonly [string, ...string[]]): string {
  const known = new Set(spellings.map(each => each.toLowerCase()))
  return answer.codes.find(code => known.has(code.toLowerCase())) ?? spellings[0]
}

/** Parameters as a query; those without a value are left out. */
export function query(parameters: readonly (readonly [string, string | null])[]): string {
  const present = parameters.filter(([, value]) => value !== null)
  return present.length === 0 ? '' : `?${present.map(([name, value]) => `${name}=${encodeText(value!)}`).join('&')}`
}

/** The path with one parameter of its query set anew, the others untouched. */
export function withParameter(path: string, name: string, value: string): string {
  const [place, rest = ''] = path.split('?', 2) as [string, string?]
  const others = rest.split('&').filter(part => part !== '' && part.split('=', 1)[0] !== name)
  return `${place}?${[...others, `${name}=${encodeText(value)}`].join('&')}`
}

/** What a provider sent may be half a character, which cannot be encoded as it is. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
