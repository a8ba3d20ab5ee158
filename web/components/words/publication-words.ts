// Publication of a figure, as far as its day is known. A provider that gives a whole history without dates of publication has not
// published it on the day we asked: that is the day we first saw it.

import { isFirstSeen } from '../../../src/core/series/vintage.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import { formatPublished } from '../../../src/core/time/instant.ts'

interface Published {
  readonly publishedAt: string
  readonly recordedAt: string | null
}

/** `published 1 Apr 2024`, `first seen 17 Nov 2026`. */
export function formatPublishedWords(figure: Published, write = formatDate): string {
  return `${isFirstSeen(figure) ? 'first seen' : 'published'} ${write(figure.publishedAt)}`
}

/** Cell under a heading that says Published: `1 Apr 2024`, `first seen 17 Nov 2026`. */
export function publishedCell(figure: Published, write = formatDate): string {
  return `${isFirstSeen(figure) ? 'first seen ' : ''}${write(figure.publishedAt)}`
}

/** Columns for files, where a column has one meaning. */
export const publishedColumns = {
  Published: (figure: Published) => (isFirstSeen(figure) ? null : formatPublished(figure.publishedAt)),
  'First seen': (figure: Published) => (isFirstSeen(figure) ? formatPublished(figure.publishedAt) : null),
}
