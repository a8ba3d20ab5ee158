// Writes ZIP archives as other programs do, and as somebody would who means harm: compressed or not, sizes after the file, two
// descriptions that differ, the same path twice, something in front.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly path: string
  readonly body: string | Uint8Array
  readonly isDeflated?: boolean
  /** Checksum and sizes come after the file. */
  readonly isTrailed?: boolean
  /** What the description in front of the file says instead. */
  readonly localPath?: string
  readonly size?: number
  readonly crc?: number
  readonly flags?: number
  /** The mode of the file under Unix. */
  readonly mode?: number
  /** Its attributes as a whole. */
  readonly attributes?: number
  readonly internal?: number
  readonly disk?: number
  readonly version?: number
  readonly method?: number
  readonly comment?: string
  /** Fields behind its name, in the directory and in front of the file. */
  readonly extra?: Buffer
  readonly localExtra?: Buffer
  /** In place of the right one. */
  readonly trailer?: Buffer
}

/** One field behind a name. */
export function extraField(kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(kind, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

export interface ZipOptions {
  readonly before?: Buffer
  readonly after?: Buffer
  readonly comment?: string
}

export function writeZip(entries: readonly ZipEntry[], { before, after, comment = '' }: ZipOptions = {}): Buffer {
  const parts: Buffer[] = before === undefined ? [] : [before]
  const directory: Buffer[] = []
  let offset = before?.length ?? 0
  for (const entry of entries) {
    const body = Buffer.from(entry.body)
    const packed = entry.isDeflated === true ? deflateRawSync(body) : body
    const [name, localName] = [Buffer.from(entry.path), Buffer.from(entry.localPath ?? entry.path)]
    const isTrailed = entry.isTrailed === true
    const flags = (entry.flags ?? 0x0800) | (isTrailed ? 8 : 0)
    const method = entry.method ?? (entry.isDeflated === true ? 8 : 0)
    const version = entry.version ?? 20
    const [extra, localExtra] = [entry.extra ?? Buffer.alloc(0), entry.localExtra ?? Buffer.alloc(0)]
    const remark = Buffer.from(entry.comment ?? '')
    const sizes = [entry.crc ?? crc32(body), packed.length, entry.size ?? body.length]
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    for (const [value, at] of [
      [version, 4],
      [flags, 6],
      [method, 8],
      [0x21, 12],
      [localName.length, 26],
      [localExtra.length, 28],
    ] as const)
      local.writeUInt16LE(value, at)
    for (const [i, size] of sizes.entries()) local.writeUInt32LE(isTrailed ? 0 : size, 14 + 4 * i)
    const own = Buffer.alloc(isTrailed ? 16 : 0)
    for (const [i, value] of (isTrailed ? [0x08074b50, ...sizes] : []).entries()) own.writeUInt32LE(value, 4 * i)
    const trailer = entry.trailer ?? own
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    for (const [value, at] of [
      [(3 << 8) | 20, 4],
      [version, 6],
      [flags, 8],
      [method, 10],
      [0x21, 14],
      [name.length, 28],
      [extra.length, 30],
      [remark.length, 32],
      [entry.disk ?? 0, 34],
      [entry.internal ?? 0, 36],
    ] as const)
      central.writeUInt16LE(value, at)
    for (const [i, size] of sizes.entries()) central.writeUInt32LE(size, 16 + 4 * i)
    const usual = entry.path.endsWith('/') ? 0o040755 : 0o100644
    central.writeUInt32LE((entry.attributes ?? (entry.mode ?? usual) << 16) >>> 0, 38)
    central.writeUInt32LE(offset, 42)
    parts.push(local, localName, localExtra, packed, trailer)
    directory.push(central, name, extra, remark)
    offset += local.length + localName.length + localExtra.length + packed.length + trailer.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, ...directory, end, Buffer.from(comment), ...(after === undefined ? [] : [after])])
}
