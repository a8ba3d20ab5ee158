// The examples of the documentation: fenced blocks by language, each with the place it stands at.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface Snippet {
  /** `docs/API.md:14`. */
  readonly place: string
  readonly language: string
  readonly text: string
}

/** The pages for those who write a client: everything in them that can be run is run. That of Python tells one story from block to
 * block, and is run as a whole by its own test. */
export const clientPages = ['docs/API.md', 'docs/EXT.md', 'docs/CLIENTS.md', 'clients/typescript/README.md']

/** How many blocks a page has, of whatever language. */
export function countBlocks(page: string): number {
  return (readFileSync(new URL(page, `file://${root}`), 'utf8').match(/^```/gm)?.length ?? 0) / 2
}

export function snippetsIn(pages: readonly string[], ...languages: readonly string[]): Snippet[] {
  return pages.flatMap(page => {
    const text = readFileSync(new URL(page, `file://${root}`), 'utf8')
    return [...text.matchAll(/^```([\w-]+)\n([\s\S]*?)^```$/gm)].flatMap(({ 1: language, 2: block, index }) => {
      const place = `${page}:${text.slice(0, index).split('\n').length + 1}`
      return languages.includes(language!) ? [{ place, language: language!, text: block! }] : []
    })
  })
}
