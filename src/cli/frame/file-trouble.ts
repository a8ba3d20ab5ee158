// Explains in a sentence what the file system refused while a command ran. Other errors are left alone.
import { Refusal } from '../../core/refusal.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  EEXIST: 'something else has that name',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
}

export function whyUnusable(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  return reasons[code ?? ''] ?? code ?? String(error)
}

/** Explains the error; `null` if it is not about a file. */
export function explainFile(error: unknown): Refusal | null {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (code === undefined || path === undefined || reasons[code] === undefined || syscall === 'connect') return null
  // Writing into a missing folder fails with the same code as a missing file.
  const why = code === 'ENOENT' && syscall !== 'stat' ? 'there is no such file or folder' : reasons[code]
  return new Refusal('unavailable', `${path} cannot be used: ${why}`)
}
