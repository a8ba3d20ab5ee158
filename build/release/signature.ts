// Signs a file of a release with the program `minisign`, which also verifies it.
import { spawnSync } from 'node:child_process'

export const missingMinisign = 'minisign is not installed: apt install minisign, or brew install minisign'

export function hasMinisign(): boolean {
  return spawnSync('minisign', ['-v']).error === undefined
}

/** Writes `<file>.minisig` beside it. A key with a password asks for it on the terminal. */
export function signFile(file: string, keyFile: string, trustedComment: string): void {
  const words = ['-S', '-s', keyFile, '-m', file, '-t', trustedComment, '-c', 'signature of a release of Assize']
  const { status } = spawnSync('minisign', words, { stdio: ['inherit', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`minisign could not sign ${file} with ${keyFile}`)
}
