// Every way in which the stand-in can misbehave, in words: where it goes wrong and what may be taken from the answer.
// What each does stands in the files for wires, bodies and figures.

/** Where it goes wrong: on the wire, in the status, in the bytes, in the figures, or in the history as a whole. */
export type Layer = 'wire' | 'status' | 'body' | 'figures' | 'history'

/**
 * What may be taken from such an answer. `nothing`; `part`: only the figures it leaves alone; `all`: it is odd but right,
 * and must be read in full; `look`: it reads well and says something that a person must see before it counts.
 */
export type Outcome = 'nothing' | 'part' | 'all' | 'look'

export interface MisbehaviourRule {
  readonly layer: Layer
  readonly outcome: Outcome
  readonly words: string
}

export const misbehaviours = {
  'slow-headers': rule('wire', 'nothing', 'the headers come only after a long time'),
  'slow-body': rule('wire', 'nothing', 'the body comes in drops'),
  'cut-body': rule('wire', 'nothing', 'the connection closes in the middle of the announced length'),
  'cut-chunks': rule('wire', 'nothing', 'the connection closes before the last chunk'),
  'connection-reset': rule('wire', 'nothing', 'the connection is reset before an answer'),
  'garbage-status-line': rule('wire', 'nothing', 'what comes is no HTTP'),
  'huge-headers': rule('wire', 'nothing', 'a megabyte of headers'),
  'endless-body': rule('wire', 'nothing', 'the body does not end'),
  'gzip-bomb': rule('wire', 'nothing', 'a few megabytes that unpack to a thousand times as much'),
  'deflate-bomb': rule('wire', 'nothing', 'the same with the other encoding'),
  'truncated-gzip': rule('wire', 'nothing', 'the packed body ends too early, with the right length'),
  'false-gzip': rule('wire', 'nothing', 'the body is said to be packed and is not'),
  'http-1.0': rule('wire', 'all', 'an old server: no length, the end of the connection is the end of the body'),
  'redirect-off-host': rule('wire', 'nothing', 'a redirect to another host, which would answer well'),
  'redirect-to-link-local': rule('wire', 'nothing', 'a redirect to an address of the machine room'),
  'redirect-loop': rule('wire', 'nothing', 'redirects to itself without end'),

  'status-500': rule('status', 'nothing', 'a server error with a page'),
  'status-503': rule('status', 'nothing', 'unavailable, with Retry-After'),
  '429-storm': rule('status', 'nothing', 'too many requests, whatever is asked'),
  'status-403': rule('status', 'nothing', 'a closed door in front of the service'),
  'status-404': rule('status', 'nothing', 'a page that says not found'),
  'status-204': rule('status', 'nothing', 'no content'),
  'good-body-with-500': rule('status', 'part', 'the right body under a server error'),

  'empty-200': rule('body', 'nothing', 'success without a body'),
  'blank-200': rule('body', 'nothing', 'success with blanks and line ends'),
  'html-200': rule('body', 'nothing', 'success with a page about maintenance'),
  'text-200': rule('body', 'nothing', 'success with a sentence'),
  'null-200': rule('body', 'nothing', 'success with the JSON null'),
  'garbage-bytes': rule('body', 'nothing', 'bytes that are no text'),
  'wrong-charset': rule('body', 'nothing', 'UTF-16 under the name of UTF-8'),
  'byte-order-mark': rule('body', 'all', 'a byte order mark in front of the right body'),
  'wrong-content-type': rule('body', 'all', 'the right body under the type of a picture'),
  'cut-text': rule('body', 'part', 'the body stops in the middle and the length agrees'),
  'doubled-body': rule('body', 'part', 'the body comes twice'),
  doctype: rule('body', 'nothing', 'XML with a DOCTYPE that fetches a file'),
  'billion-laughs': rule('body', 'nothing', 'XML with entities that expand without end'),
  'deep-nesting': rule('body', 'nothing', 'a hundred thousand brackets'),
  'missing-fields': rule('body', 'part', 'every second member, or the column of the figures, is not there'),
  'wrong-types': rule('body', 'part', 'texts for numbers, numbers for texts, columns exchanged'),
  'other-provider': rule('body', 'nothing', 'the table of somebody else'),

  'huge-number': rule('figures', 'part', 'figures of four hundred digits'),
  'not-a-number': rule('figures', 'part', 'NaN for figures'),
  infinity: rule('figures', 'part', 'Infinity for figures'),
  'negative-zero': rule('figures', 'all', 'figures that are -0.0, which is a figure'),
  'exponent-forms': rule('figures', 'all', 'figures such as 1.2345E2'),
  'decimal-comma': rule('figures', 'part', 'a comma for the point'),
  'grouped-digits': rule('figures', 'part', 'figures such as 1,234.5'),
  'words-for-figures': rule('figures', 'part', 'a word where a figure was'),
  'duplicate-periods': rule('figures', 'part', 'periods that come twice with different figures'),
  'impossible-periods': rule('figures', 'part', 'a thirteenth month, the thirtieth of February'),
  'future-periods': rule('figures', 'look', 'figures for years to come, without a mark'),
  'forecast-flags': rule('figures', 'part', 'the newest figures are marked as forecasts, where there is a mark'),

  'other-code': rule('history', 'nothing', 'the answer to another question: another series'),
  rebased: rule('history', 'look', 'the whole history times 0.9 under the same code'),
  'changed-unit': rule('history', 'look', 'another unit, base and multiplier under the same code'),
  'dropped-history': rule('history', 'look', 'only the newest six periods are there'),
  'empty-data': rule('history', 'nothing', 'the series is there and has no figures'),
  unordered: rule('history', 'all', 'the rows come in no order'),
  'endless-pages': rule('history', 'look', 'there is always a further page, with the same rows'),
} as const

function rule(layer: Layer, outcome: Outcome, words: string): MisbehaviourRule {
  return { layer, outcome, words }
}

export type Misbehaviour = keyof typeof misbehaviours

export const misbehaviourKinds = Object.keys(misbehaviours) as readonly Misbehaviour[]

export function isMisbehaviour(text: unknown): text is Misbehaviour {
  return typeof text === 'string' && Object.hasOwn(misbehaviours, text)
}

export function ruleOf(kind: Misbehaviour): MisbehaviourRule {
  return misbehaviours[kind]
}
