// The workbook that refreshes itself, with the address of this server in its named cell. It contains no key and nothing of any
// workspace, so anybody may fetch it, like the description.
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import { readZipDirectory } from '../../formats/evidence/zip-directory.ts'
import { spreadsheet } from '../../formats/sheet.ts'
import { escapeXml } from '../../formats/xml-text.ts'
import { makeZip } from '../../formats/zip.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { originOf } from '../api/links.ts'
import { ext, workbookPath } from '../ext/api.ts'
import { typedAnswer } from '../frame/answer.ts'
import { sendReply } from '../frame/reply.ts'

interface WorkbookParts {
  /** Public address of the pages, if the operator set one. */
  readonly publicUrl: string | null
  /** Whether a request came over TLS, according to the trusted proxies. */
  readonly isSecure: (req: IncomingMessage) => boolean
}

/** Workbook built with the pages. It is not compressed, so its parts are taken out and put back as they are. */
const builtFile = new URL('../../../web/dist/offline/assize.xlsx', import.meta.url)
const startSheet = 'xl/worksheets/sheet1.xml'
/** The named cell Assize_Address, while it is empty. */
const addressCell = /(<c r="B4" t="inlineStr"><is><t xml:space="preserve">)(<\/t>)/

export function addWorkbook(app: FastifyInstance, { publicUrl, isSecure }: WorkbookParts): void {
  for (const prefix of ext.prefixes)
    app.get(`${prefix}${workbookPath}`, async (request, reply) => {
      const origin = publicUrl ?? originOf({ host: request.headers.host, isSecure: isSecure(request.raw) }) ?? ''
      const bytes = withAddress(await readBuilt(), origin)
      const headers = [
        'cache-control',
        'private, no-cache',
        'vary',
        'Host',
        'content-disposition',
        'attachment; filename="assize.xlsx"',
      ]
      const etag = contentTag(Buffer.from(bytes).toString('latin1'))
      return sendReply(request, reply, typedAnswer(`${spreadsheet}.sheet`, [Buffer.from(bytes)], { etag, headers }))
    })
}

async function readBuilt(): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(builtFile).catch(error => {
    if (error.code === 'ENOENT') throw new Refusal('unavailable', 'the workbook is not built: run npm run build')
    throw error
  })
  return new Uint8Array(bytes)
}

export function withAddress(workbook: Uint8Array<ArrayBuffer>, origin: string): Uint8Array {
  const files = readZipDirectory(workbook).map(({ path, packed }) => {
    if (path !== startSheet) return [path, packed] as const
    const text = new TextDecoder().decode(packed)
    return [path, text.replace(addressCell, (_, before, after) => `${before}${escapeXml(origin)}${after}`)] as const
  })
  return makeZip(Object.fromEntries(files))
}
