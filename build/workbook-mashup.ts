// The part of a workbook that Power Query reads (MS-QDEFF): a version, a package with the section document, permissions, what is
// known about each query, and a seal by the machine that saved it. Each is preceded by its length, four bytes, the low one first.
import { readZipDirectory } from '../src/formats/evidence/zip-directory.ts'
import { escapeXml } from '../src/formats/xml-text.ts'
import { makeZip } from '../src/formats/zip.ts'
import type { QuerySheet } from './workbook-parts.ts'

const sectionPath = 'Formulas/Section1.m'
const opening = '<DataMashup xmlns="http://schemas.microsoft.com/DataMashup">'
const closing = '</DataMashup>'

/** The same part with our section document and our queries. `part` is UTF-16, as the library writes it and Excel does. */
export function writeMashup(part: Uint8Array, section: string, sheets: readonly QuerySheet[]): Uint8Array {
  const text = new TextDecoder('utf-16le').decode(part)
  const encoded = text.slice(text.indexOf('>', text.indexOf('<DataMashup')) + 1, text.indexOf(closing))
  const { version, blocks } = readBlocks(Buffer.from(encoded, 'base64'))
  const [packed, permissions, metadata, seal] = blocks
  const written = [
    version,
    ...block(writePackage(packed!, section)),
    ...block(permissions!),
    ...block(writeMetadata(metadata!, sheets)),
    // It is of another machine, so that Excel takes the usual permissions; without any seal it might not open the part.
    ...block(seal!),
  ]
  const whole = `<?xml version="1.0" encoding="utf-16"?>${opening}${Buffer.concat(written).toString('base64')}${closing}`
  return Buffer.from(`\ufeff${whole}`, 'utf16le')
}

function readBlocks(bytes: Buffer): { readonly version: Uint8Array; readonly blocks: readonly Uint8Array[] } {
  const blocks: Uint8Array[] = []
  for (let at = 4; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at)
    blocks.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return { version: bytes.subarray(0, 4), blocks }
}

function block(bytes: Uint8Array): readonly Uint8Array[] {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return [length, bytes]
}

function writePackage(packed: Uint8Array, section: string): Uint8Array {
  const files = readZipDirectory(new Uint8Array(packed)).map(({ path, packed: content }) => [path, content] as const)
  // Lines end as Power Query itself ends them.
  return makeZip({ ...Object.fromEntries(files), [sectionPath]: section.replaceAll('\n', '\r\n') })
}

/** A version, the length of the XML, the XML, and what Power Query keeps of its results, which stays as it is. */
function writeMetadata(metadata: Uint8Array, sheets: readonly QuerySheet[]): Uint8Array {
  const bytes = Buffer.from(metadata)
  const length = bytes.readUInt32LE(4)
  const items = [
    item('AllFormulas', ''),
    ...sheets.map(({ name }) => item('Formula', `Section1/${name}`, entriesOf(name))),
  ]
  const spaces = 'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
  const xml = `<?xml version="1.0" encoding="utf-8"?><LocalPackageMetadataFile ${spaces}><Items>${items.join('')}</Items></LocalPackageMetadataFile>`
  return Buffer.concat([bytes.subarray(0, 4), ...block(Buffer.from(xml)), bytes.subarray(8 + length)])
}

function item(type: string, path: string, entries: Readonly<Record<string, string>> = {}): string {
  const written = Object.entries(entries).map(([name, value]) => `<Entry Type="${name}" Value="${escapeXml(value)}"/>`)
  return `<Item><ItemLocation><ItemType>${type}</ItemType><ItemPath>${path}</ItemPath></ItemLocation><StableEntries>${written.join('')}</StableEntries></Item>`
}

/** A query that fills the table of its name; `s` begins a text, `l` a number. */
function entriesOf(name: string): Readonly<Record<string, string>> {
  return {
    IsPrivate: 'l0',
    FillEnabled: 'l1',
    FillObjectType: 'sTable',
    FillToDataModelEnabled: 'l0',
    BufferNextRefresh: 'l1',
    ResultType: 'sTable',
    NameUpdatedAfterFill: 'l0',
    FillTarget: `s${name}`,
    FilledCompleteResultToWorksheet: 'l1',
    AddedToDataModel: 'l0',
  }
}
