// Writes and reads the parameters of addresses, and finds the spelling in which a series was requested.
import type { Answer, ProviderRequest } from '../provider.ts'

/** A GET request, without headers or secrets unless they are given. */
export function getRequest(
  codes: readonly string[],
  path: string,
  { headers = {}, secrets = [] }: Partial<Pick<ProviderRequest, 'headers' | 'secrets'>> = {},
): ProviderRequest {
  return { codes, method: 'GET', path, headers, body: null, secrets }
}

/** A parameter of the requested address; `null` if unknown. */
export function askedFor(answer: Answer, name: string): string | null {
  return answer.url !== null && URL.canParse(answer.url) ? new URL(answer.url).searchParams.get(name) : null
}

/** The spelling in which a series was requested, if it was; else the first of its spellings. */
export function askedSpelling(answer: Answer, spellings: readonly [string, ...string[]]): string {
  const known = new Set(spellings.map(each => each.toLowerCase()))
  return answer.codes.find(code => known.has(code.toLowerCase())) ?? spellings[0]
}

/** Parameters as a query string; those without a value are left out. */
export function query(parameters: readonly (readonly [string, string | null])[]): string {
  const present = parameters.filter(([, value]) => value !== null)
  return present.length === 0 ? '' : `?${present.map(([name, value]) => `${name}=${encodeText(value!)}`).join('&')}`
}

/** The path with one query parameter replaced. */
export function withParameter(path: string, name: string, value: string): string {
  const [place, rest = ''] = path.split('?', 2) as [string, string?]
  const others = rest.split('&').filter(part => part !== '' && part.split('=', 1)[0] !== name)
  return `${place}?${[...others, `${name}=${encodeText(value)}`].join('&')}`
}

/** A provider may send half a surrogate pair, which cannot be encoded as it is. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
