// The audit stream into a file that only its owner reads. It is appended to and on the disk before it counts. A file that was
// renamed or deleted, as rotation does, is left alone and begun again under its name; half a line that a crash left is cut off,
// because that act is told again.
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../storage/embedded/kept-file.ts'
import type { AuditLine, Destination } from './audit-line.ts'

const lineBreak = 10
const step = 64 * 1024

export function auditFile(path: string): Destination {
  let held: FileHandle | null = null
  const letGo = async () => {
    const handle = held
    held = null
    await handle?.close()
  }
  return {
    async send(lines) {
      if (held !== null && !(await isStill(held, path))) await letGo()
      held ??= await begin(path)
      try {
        await held.appendFile(textOf(lines))
        await held.datasync()
      } catch (error) {
        // What it has of them is cut off when it is opened again.
        await letGo().catch(() => {})
        throw error
      }
    },
    close: letGo,
  }
}

export function textOf(lines: readonly AuditLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('')
}

async function isStill(handle: FileHandle, path: string): Promise<boolean> {
  const [ours, named] = [await handle.stat(), await stat(path).catch(() => null)]
  return named !== null && named.ino === ours.ino && named.dev === ours.dev
}

async function begin(path: string): Promise<FileHandle> {
  const handle = await open(path, 'a+', 0o600)
  try {
    await cutHalfLine(handle)
    await syncFolder(dirname(path))
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function cutHalfLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat()
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - step)
    const piece = Buffer.alloc(end - start)
    await handle.read(piece, 0, piece.length, start)
    const at = piece.lastIndexOf(lineBreak)
    if (at === -1 && start > 0) {
      end = start
      continue
    }
    const whole = at === -1 ? 0 : start + at + 1
    if (whole < size) await handle.truncate(whole)
    return
  }
}
