// The second verifier, in Python, over many files in one process; and how far it must say what the first one says.
import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { VerifiedLines } from './verified-lines.ts'

export const secondVerifier = fileURLToPath(new URL('../../../verifier/assize_verify.py', import.meta.url))

const isThere = spawnSync('python3', ['--version']).status === 0
if (!isThere) process.stdout.write('there is no python3 here: the second verifier is not held to the first\n')

export const hasPython = isThere

export interface AskedFile {
  readonly path: string
  readonly words?: readonly string[]
}

const driver = `
import json, sys
sys.path.insert(0, sys.argv[1])
sys.setrecursionlimit(10000)
import assize_verify as verifier
for line in sys.stdin:
    asked = json.loads(line)
    given = {name: [] for name in verifier.OPTIONS}
    words = asked.get("words", [])
    for name, value in zip(words[::2], words[1::2]):
        given[name].append(value)
    status, lines = verifier.verdict(asked["path"], verifier.read_trust(given))
    print(json.dumps({"status": status, "lines": [verifier.visible(line) for line in lines]}))
`

/** In their order. */
export function secondVerdicts(files: readonly AskedFile[]): readonly VerifiedLines[] {
  return driven<VerifiedLines>(driver, files)
}

const printing = `
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
sys.setrecursionlimit(10000)
import assize_verify as verifier
for line in sys.stdin:
    asked = json.loads(line)
    printed = io.BytesIO()
    out = io.TextIOWrapper(printed)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        verifier.main([*asked.get("words", []), asked["path"]])
        out.flush()
    print(json.dumps(printed.getvalue().decode("utf-8")))
`

/** All that its process prints about each. */
export function secondOutputs(files: readonly AskedFile[]): readonly string[] {
  return driven<string>(printing, files)
}

function driven<T>(program: string, files: readonly AskedFile[]): readonly T[] {
  if (files.length === 0) return []
  const folder = fileURLToPath(new URL('../../../verifier/', import.meta.url))
  const told = execFileSync('python3', ['-B', '-c', program, folder], {
    input: files.map(file => `${JSON.stringify(file)}\n`).join(''),
    maxBuffer: 1e9,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  })
  return told
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T)
}

/** Lines that need to be alike only so far: what follows is a program's own way of putting it. */
const ownWords = [
  /^assize: the receipt's formula \d+ (is refused|does not fit its series):/,
  /^assize: the receipt's data do not suffice:/,
  /^assize: the archive cannot be relied on:/,
  /^refused: .* does not hold:/,
  /^today's compiler writes other steps: the wording changed;/,
]

/** What only a program can say that reads YAML and makes pages again. */
const ofOne =
  /^refused: (Pages to print: .* does not follow from the receipts|(Every change of terms: )?.*(the input \w+ is not spliced as the proposal says$)|Every change of terms: .* (does not hold|that was agreed|further signatures|another agreement))/

/** What the second must say too; null where the first says nothing else. */
export function sharedVerdict({ status, lines }: VerifiedLines): VerifiedLines | null {
  const shared = lines.filter(line => !ofOne.test(line))
  return shared.length === 0 ? null : comparable({ status, lines: shared })
}

/** What both have to say alike. */
export function comparable({ status, lines }: VerifiedLines): VerifiedLines {
  const cut = (line: string) => ownWords.map(words => words.exec(line)?.[0]).find(found => found !== undefined) ?? line
  return { status, lines: lines.map(cut) }
}
