// The requests that tools make: GET, and QUERY where something is sent. A failure becomes a sentence of ours; the server's own
// words stay beside it, because they can repeat names that somebody else chose.

/** Error that an assistant gets in place of an answer. */
export class ToolError extends Error {
  /** The server's words, unchanged. */
  readonly reason: string | null

  constructor(sentence: string, reason: string | null = null) {
    super(sentence)
    this.reason = reason
  }
}

export interface Asking {
  /** Parameters; undefined ones are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Body that is sent as JSON, with QUERY. */
  readonly body?: unknown
  /** Whether a key without `money` is answered as if the route did not exist. */
  readonly needsMoney?: boolean
  readonly signal: AbortSignal
}

export interface Reply {
  readonly text: string
  readonly tag: string | null
  /** Parameters of the next page, where v1 links to one. */
  readonly next: URLSearchParams | null
}

/** `path` with its prefix: `/ext/v1/due`. */
export type Ask = (path: string, asking: Asking) => Promise<Reply>

const answerMs = 60_000
const mostBytes = 20_000_000

export function openAsk(address: string, key: string): Ask {
  return async (path, { query = {}, body, needsMoney = false, signal }) => {
    // A form would write a space as a plus sign, which stands for itself here.
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    const search = given.length === 0 ? '' : `?${given.join('&')}`
    const method: 'GET' | 'QUERY' = body === undefined ? 'GET' : 'QUERY'
    const deadline = AbortSignal.timeout(answerMs)
    let response: Response
    let text: string
    try {
      response = await fetch(`${address}${path}${search}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // The key is for this address alone.
        redirect: 'error',
        signal: AbortSignal.any([signal, deadline]),
      })
      text = await readText(response)
    } catch (error) {
      if (error instanceof ToolError) throw error
      signal.throwIfAborted()
      throw new ToolError(
        deadline.aborted
          ? `The server took longer than ${answerMs / 1000} seconds. Ask for less, or again later.`
          : 'The server at ASSIZE_URL cannot be reached, or redirects.',
      )
    }
    if (response.status !== 200) throw refused(response, text, needsMoney)
    return { text, tag: response.headers.get('etag'), next: nextOf(response.headers.get('link')) }
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > mostBytes) throw new ToolError('The answer of the server is too long. Ask for less.')
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

function nextOf(link: string | null): URLSearchParams | null {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return target === undefined ? null : new URL(target, 'http://server').searchParams
}

function refused({ status, headers }: Response, text: string, needsMoney: boolean): ToolError {
  const again = headers.get('retry-after')
  const when = again === null ? 'later' : `in ${again} seconds`
  if (status === 401)
    return new ToolError('The key in ASSIZE_KEY is not accepted: it is wrong, has expired or was revoked.')
  if (status === 404 && needsMoney)
    return new ToolError(
      'The key in ASSIZE_KEY may not read money, which this needs. Whoever runs the server makes one that may with: assize key create --scope money',
    )
  if (status === 429) return new ToolError(`The limit of requests of this key is reached. Ask again ${when}.`)
  const reason = reasonIn(text)
  if (status === 404)
    return new ToolError('There is no such thing, or it has no number yet. The reason is what the server said.', reason)
  if (status >= 500) return new ToolError(`The server cannot answer this now. Ask again ${when}.`, reason)
  return new ToolError('The server refuses these arguments. The reason is what it said.', reason)
}

function reasonIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown }
    return typeof error === 'string' ? error.slice(0, 1_000) : null
  } catch {
    return null
  }
}
