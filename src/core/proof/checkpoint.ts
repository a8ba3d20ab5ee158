// The text of a C2SP `tlog-checkpoint`: the log, the number of leaves of its tree, and the root.
import { Refusal } from '../refusal.ts'
import { base64Of, bytesOfBase64 } from '../text/base64.ts'
import { type Hash, hashBytes } from './merkle-hash.ts'

export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string
  readonly size: number
  readonly root: Hash
  /** Further lines, which nobody checks; ours has none. */
  readonly extensions: readonly string[]
}

export function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  return [origin, size, base64Of(root), ...extensions, ''].join('\n')
}

export function readCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n')
  const [origin = '', size = '', root = '', ...rest] = lines
  const extensions = rest.slice(0, -1)
  if (lines.length < 4 || lines.at(-1) !== '' || origin === '' || extensions.includes(''))
    throw new Refusal('unreadable', 'a checkpoint has a line for its origin, its size and its root')
  return { origin, size: readWholeNumber(size, 'the size of a checkpoint'), root: readHash(root), extensions }
}

/** A number without leading zeros, and small enough to count with. */
export function readWholeNumber(text: string, what: string): number {
  const number = Number.parseInt(text, 10)
  if (!/^(?:0|[1-9][0-9]*)$/.test(text) || !Number.isSafeInteger(number))
    throw new Refusal('unreadable', `${what} must be a whole number, got "${text}"`)
  return number
}

export function readHash(text: string): Hash {
  const bytes = bytesOfBase64(text)
  if (bytes?.length !== hashBytes) throw new Refusal('unreadable', `"${text}" is not a hash in base64`)
  return bytes
}
