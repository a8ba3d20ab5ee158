// Every way in which the stand-in can misbehave, in words: where it goes wrong and what may be used of the answer. The
// misbehaviour itself is implemented in the files for wire, body and figures.

/** Where it goes wrong: on the wire, in the status, in the bytes, in the figures, or in the history as a whole. */
export type Layer = 'wire' | 'status' | 'body' | 'figures' | 'history'

/**
 * What may be used of such an answer. `nothing`; `part`: only the unchanged figures; `all`: it is odd but correct and must
 * be read completely; `look`: it is readable, but an operator must review it before it counts.
 */
export type Outcome = 'nothing' | 'part' | 'all' | 'look'

export interface MisbehaviourRule {
  readonly layer: Layer
  readonly outcome: Outcome
  readonly words: string
}

export const misbehaviours = {
  'slow-headers': rule('wire', 'nothing', 'the headers come only after a long time'),
  'slow-body': rule('wire', 'nothing', 'the body arrives very slowly'),
  'cut-body': rule('wire', 'nothing', 'the connection closes in the middle of the announced length'),
  'cut-chunks': rule('wire', 'nothing', 'the connection closes before the last chunk'),
  'connection-reset': rule('wire', 'nothing', 'the connection is reset before an answer'),
  'garbage-status-line': rule('wire', 'nothing', 'the answer is not HTTP'),
  'huge-headers': rule('wire', 'nothing', 'a megabyte of headers'),
  'endless-body': rule('wire', 'nothing', 'the body does not end'),
  'gzip-bomb': rule('wire', 'nothing', 'a few megabytes that unpack to a thousand times as much'),
  'deflate-bomb': rule('wire', 'nothing', 'the same with the other encoding'),
  'truncated-gzip': rule('wire', 'nothing', 'the compressed body ends too early, with the right length'),
  'false-gzip': rule('wire', 'nothing', 'the body is declared as compressed and is not'),
  'http-1.0': rule('wire', 'all', 'an old server: no length, the end of the connection is the end of the body'),
  'redirect-off-host': rule('wire', 'nothing', 'a redirect to another host, which would answer correctly'),
  'redirect-to-link-local': rule('wire', 'nothing', 'a redirect to a link-local address'),
  'redirect-loop': rule('wire', 'nothing', 'redirects to itself endlessly'),

  'status-500': rule('status', 'nothing', 'a server error with a web page'),
  'status-503': rule('status', 'nothing', 'unavailable, with Retry-After'),
  '429-storm': rule('status', 'nothing', 'too many requests, whatever is requested'),
  'status-403': rule('status', 'nothing', 'access refused by a gateway'),
  'status-404': rule('status', 'nothing', 'a web page that says not found'),
  'status-204': rule('status', 'nothing', 'no content'),
  'good-body-with-500': rule('status', 'part', 'the correct body with a server error'),

  'empty-200': rule('body', 'nothing', 'success without a body'),
  'blank-200': rule('body', 'nothing', 'success with white space only'),
  'html-200': rule('body', 'nothing', 'success with a web page about maintenance'),
  'text-200': rule('body', 'nothing', 'success with a sentence'),
  'null-200': rule('body', 'nothing', 'success with the JSON null'),
  'garbage-bytes': rule('body', 'nothing', 'bytes that are not text'),
  'wrong-charset': rule('body', 'nothing', 'UTF-16 declared as UTF-8'),
  'byte-order-mark': rule('body', 'all', 'a byte order mark before the correct body'),
  'wrong-content-type': rule('body', 'all', 'the correct body with the content type of an image'),
  'cut-text': rule('body', 'part', 'the body stops in the middle, with a matching length'),
  'doubled-body': rule('body', 'part', 'the body comes twice'),
  doctype: rule('body', 'nothing', 'XML with a DOCTYPE that fetches a file'),
  'billion-laughs': rule('body', 'nothing', 'XML with entities that expand endlessly'),
  'deep-nesting': rule('body', 'nothing', 'a hundred thousand brackets'),
  'missing-fields': rule('body', 'part', 'every second member, or the column of figures, is missing'),
  'wrong-types': rule('body', 'part', 'strings for numbers, numbers for strings, columns swapped'),
  'other-provider': rule('body', 'nothing', 'the table of another provider'),

  'huge-number': rule('figures', 'part', 'figures of four hundred digits'),
  'not-a-number': rule('figures', 'part', 'NaN instead of figures'),
  infinity: rule('figures', 'part', 'Infinity instead of figures'),
  'negative-zero': rule('figures', 'all', 'figures that are -0.0, which is valid'),
  'exponent-forms': rule('figures', 'all', 'figures such as 1.2345E2'),
  'decimal-comma': rule('figures', 'part', 'a comma instead of the decimal point'),
  'grouped-digits': rule('figures', 'part', 'figures such as 1,234.5'),
  'words-for-figures': rule('figures', 'part', 'a word instead of a figure'),
  'duplicate-periods': rule('figures', 'part', 'repeated periods with different figures'),
  'impossible-periods': rule('figures', 'part', 'a thirteenth month, the thirtieth of February'),
  'future-periods': rule('figures', 'look', 'figures for future years, without a mark'),
  'forecast-flags': rule('figures', 'part', 'the newest figures are marked as forecasts, if there is a mark'),

  'other-code': rule('history', 'nothing', 'the answer to another request: another series'),
  rebased: rule('history', 'look', 'the whole history times 0.9 under the same code'),
  'changed-unit': rule('history', 'look', 'another unit, base and multiplier under the same code'),
  'dropped-history': rule('history', 'look', 'only the newest six periods are sent'),
  'empty-data': rule('history', 'nothing', 'the series exists but has no figures'),
  unordered: rule('history', 'all', 'the rows are unordered'),
  'endless-pages': rule('history', 'look', 'there is always another page, with the same rows'),
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
