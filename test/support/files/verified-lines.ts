// What `verify` says about a file, as a second verifier has to say it: its exit status and its lines, whichever stream they go to.
import { runWords } from '../../../src/cli/program.ts'

export interface VerifiedLines {
  readonly status: number
  readonly lines: readonly string[]
}

export async function verifiedLines(path: string, ...words: readonly string[]): Promise<VerifiedLines> {
  let told = ''
  const tell = (text: string) => {
    told += text
  }
  const status = await runWords(['verify', path, ...words], {
    out: tell,
    err: tell,
    isTerminal: false,
    columns: 100,
    env: {},
  })
  return { status, lines: told === '' ? [] : told.trimEnd().split('\n') }
}

/** As it is kept beside a sample. */
export function writeLines({ status, lines }: VerifiedLines): string {
  return `${[`exit ${status}`, ...lines].join('\n')}\n`
}
