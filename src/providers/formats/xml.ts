// Parses XML by local names: providers choose prefixes freely, and some bodies do not declare them. A DOCTYPE is refused,
// so nothing can be expanded or fetched.
import { SaxesParser } from 'saxes'

interface XmlSniff {
  /** The name of the root element without its prefix; `null` if there is none. */
  readonly root: string | null
  readonly hasDoctype: boolean
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Skips the declaration, comments and a DOCTYPE to find the first element. */
export function sniffXml(text: string): XmlSniff {
  let at = 0
  let hasDoctype = false
  for (;;) {
    at = text.indexOf('<', at)
    if (at < 0) return { root: null, hasDoctype }
    if (text.startsWith('<!--', at)) at = text.indexOf('-->', at)
    else if (text.startsWith('<?', at)) at = text.indexOf('?>', at)
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) {
      hasDoctype = true
      const name = /^<!doctype\s+([\w:.-]+)/i.exec(text.slice(at, at + 200))
      return { root: name === null ? null : localName(name[1]!), hasDoctype }
    } else {
      const name = /^<([\w:.-]+)/.exec(text.slice(at, at + 200))
      return { root: name === null ? null : localName(name[1]!), hasDoctype }
    }
    if (at < 0) return { root: null, hasDoctype }
    at += 1
  }
}

/** Data messages are about a dozen levels deep. */
const maxDepth = 100

interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string, text: string): void
}

/** Visits every element of a document. `close` gets the text directly before it. Throws if it is not well formed. */
export function walkXml(text: string, handlers: XmlHandlers): void {
  const parser = new SaxesParser({ xmlns: false })
  let content = ''
  let depth = 0
  parser.on('doctype', () => {
    throw new SyntaxError('XML with a DOCTYPE is refused')
  })
  parser.on('opentag', tag => {
    if (++depth > maxDepth) throw new SyntaxError(`elements nested more than ${maxDepth} deep`)
    content = ''
    handlers.open(localName(tag.name), tag.attributes)
  })
  parser.on('text', chunk => {
    content += chunk
  })
  parser.on('cdata', chunk => {
    content += chunk
  })
  parser.on('closetag', tag => {
    depth--
    handlers.close?.(localName(tag.name), content)
    content = ''
  })
  parser.write(text).close()
}
