// A workbook as a ZIP archive of XML parts, read as streams by name. It refuses encrypted parts, a DOCTYPE, text that is
// not UTF-8 and, if limits are given, an archive that unpacks to too much.
import { SaxesParser } from 'saxes'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import { localName } from '../providers/formats/xml.ts'

/** For files that come from elsewhere; `null` for the operator's own. */
export interface UnpackBounds {
  readonly unpackedBytes: number
  /** Unpacked bytes per packed byte. */
  readonly ratio: number
  /** Shared texts are held in memory while the workbook is read. */
  readonly textsBytes: number
}

export type Attributes = Readonly<Record<string, string>>

interface XmlEvents {
  /** Names have no prefix. */
  readonly open: (name: string, attributes: Attributes) => void
  readonly text: (text: string) => void
  readonly close: (name: string) => void
}

export class Archive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #bounds: UnpackBounds | null
  #unpacked = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, bounds: UnpackBounds | null) {
    this.#zip = zip
    this.#entries = entries
    this.#bounds = bounds
  }

  static async open(path: string, bounds: UnpackBounds | null): Promise<Archive> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
      throw notWorkbook()
    })
    const entries = new Map<string, Entry>()
    try {
      for await (const entry of zip.eachEntry()) {
        entries.set(entry.fileName, entry)
        if (entries.size > limits.workbookParts) throw new Refusal('too-large', 'the workbook has too many parts')
        if (entry.fileName.length > limits.workbookNameLength)
          throw new Refusal('too-large', 'a part of the workbook has too long a name')
      }
    } catch (error) {
      zip.close()
      throw error instanceof Refusal ? error : notWorkbook()
    }
    return new Archive(zip, entries, bounds)
  }

  close(): void {
    this.#zip.close()
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  sizeOf(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0
  }

  /** Reads a part's XML piece by piece: `events` are called for each, then it yields the number of bytes read so far. */
  async *walk(name: string, events: XmlEvents): AsyncGenerator<number, void, undefined> {
    const gauge = new Gauge(name)
    const parser = makeParser(name, events, gauge)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let done = 0
    for await (const bytes of this.#unpack(name)) {
      done += bytes.length
      gauge.grow(bytes.length)
      parser.write(decodePart(name, () => decoder.decode(bytes, { stream: true })))
      yield done
    }
    parser.write(decodePart(name, () => decoder.decode())).close()
  }

  /** A part that is read as a whole; small ones only. */
  async walkAll(name: string, events: XmlEvents, most: number): Promise<void> {
    for await (const done of this.walk(name, events))
      if (done > most) throw new Refusal('too-large', `${name} in the workbook is larger than ${most} bytes`)
  }

  async *#unpack(name: string): AsyncGenerator<Buffer, void, undefined> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new Refusal('invalid', `the workbook lacks its part ${name}`)
    if (entry.isEncrypted()) throw new Refusal('invalid', 'the workbook is encrypted; save it without a password')
    let done = 0
    try {
      for await (const bytes of await this.#zip.openReadStreamPromise(entry)) {
        done += (bytes as Buffer).length
        this.#unpacked += (bytes as Buffer).length
        this.#checkBounds(done, entry)
        yield bytes as Buffer
      }
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw new Refusal('invalid', `${name} in the workbook is damaged: ${(error as Error).message}`)
    }
  }

  /** Compared with the bytes actually unpacked: sizes written in an archive may be false. */
  #checkBounds(done: number, entry: Entry): void {
    if (this.#bounds === null) return
    const { unpackedBytes, ratio } = this.#bounds
    if (this.#unpacked > unpackedBytes)
      throw new Refusal('too-large', `the workbook unpacks to more than ${unpackedBytes} bytes`)
    if (done > limits.workbookRatioFromBytes && done > entry.compressedSize * ratio)
      throw new Refusal('too-large', `${entry.fileName} in the workbook unpacks to more than ${ratio} times its size`)
  }
}

function notWorkbook(): Refusal {
  return new Refusal(
    'invalid',
    'is not an .xlsx workbook (an old .xls, or one with a password, must be saved as .xlsx first)',
  )
}

function decodePart(name: string, decode: () => string): string {
  try {
    return decode()
  } catch {
    throw new Refusal('invalid', `${name} in the workbook is not UTF-8`)
  }
}

/** Limits what the parser has to hold: every open element, and each piece until it is complete. */
class Gauge {
  readonly #part: string
  #depth = 0
  #attributes = 0
  #sinceEvent = 0

  constructor(part: string) {
    this.#part = part
  }

  grow(bytes: number): void {
    this.#sinceEvent += bytes
    if (this.#sinceEvent > limits.workbookPieceBytes) this.#refuse('a name, a text or a comment is too long')
  }

  /** A piece is complete. */
  readonly note = (): void => {
    this.#sinceEvent = 0
  }

  readonly attribute = (): void => {
    if (++this.#attributes > limits.workbookAttributes)
      this.#refuse(`an element has more than ${limits.workbookAttributes} attributes`)
  }

  open(): void {
    this.note()
    this.#attributes = 0
    if (++this.#depth > limits.workbookDepth) this.#refuse(`elements are nested more than ${limits.workbookDepth} deep`)
  }

  close(): void {
    this.note()
    this.#depth--
  }

  #refuse(why: string): never {
    throw new Refusal('too-large', `${this.#part} in the workbook cannot be read: ${why}`)
  }
}

function makeParser(part: string, { open, text, close }: XmlEvents, gauge: Gauge): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('doctype', () => {
    throw new Refusal('invalid', `${part} in the workbook contains a DOCTYPE`)
  })
  parser.on('error', error => {
    throw new Refusal('invalid', `${part} in the workbook is not well-formed: ${error.message}`)
  })
  parser.on('attribute', gauge.attribute)
  parser.on('comment', gauge.note)
  parser.on('processinginstruction', gauge.note)
  parser.on('opentag', tag => {
    gauge.open()
    open(localName(tag.name), tag.attributes)
  })
  const give = (piece: string) => {
    gauge.note()
    text(piece)
  }
  parser.on('text', give)
  parser.on('cdata', give)
  parser.on('closetag', tag => {
    gauge.close()
    close(localName(tag.name))
  })
  return parser
}
