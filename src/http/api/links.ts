// Links in headers: they begin with a slash in the API, and a client that stores one needs the whole address.
import type { Answer } from '../frame/answer.ts'
import { nextPage } from './list.ts'

/** Host and scheme by which a client reached this server, from its headers and the trusted proxies. */
export interface Reached {
  readonly host: string | undefined
  readonly isSecure: boolean
}

/** The address; null where the host could not be one. */
export function originOf({ host, isSecure }: Reached): string | null {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `http${isSecure ? 's' : ''}://${host}` : null
}

export function withWholeLinks(answer: Answer, reached: Reached): Answer {
  const place = answer.headers.indexOf(nextPage)
  if (place < 0) return answer
  const origin = originOf(reached) ?? ''
  const headers = answer.headers.slice()
  headers.splice(place, 2, 'link', `<${origin}${answer.headers[place + 1]}>; rel="next"`)
  return { ...answer, headers }
}
