// A small ZIP archive: stored as it is, which is all a workbook needs, or packed by the caller's own function, so that pages
// may use it too.

const crcTable = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = crcTable[(value ^ byte) & 0xff]! ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

/** Consecutive little-endian numbers, each as `[value, bytes]`. */
function fields(...list: readonly (readonly [number, number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(list.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of list) for (let i = 0; i < size; i++) bytes[at++] = (value >>> (8 * i)) & 0xff
  return bytes
}

/** 1 January 1980, the first day a zip archive knows: equal content gives equal bytes. */
const firstDay = 0x0021

/** Files that gain nothing by being packed are stored. */
export function makeZip(
  files: Readonly<Record<string, string | Uint8Array>>,
  deflate: ((bytes: Uint8Array) => Uint8Array) | null = null,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const name = encoder.encode(path)
    const body = typeof content === 'string' ? encoder.encode(content) : content
    const deflated = deflate?.(body)
    const isDeflated = deflated !== undefined && deflated.length < body.length
    const kept = isDeflated ? deflated : body
    const common = [
      [20, 2],
      [0x0800, 2],
      [isDeflated ? 8 : 0, 2],
      [0, 2],
      [firstDay, 2],
      [crc32(body), 4],
      [kept.length, 4],
      [body.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const
    const local = fields([0x04034b50, 4], ...common)
    parts.push(local, name, kept)
    directory.push(fields([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), name)
    offset += local.length + name.length + kept.length
  }
  const count = Object.keys(files).length
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2])
  const all = [...parts, ...directory, end]
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of all) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
