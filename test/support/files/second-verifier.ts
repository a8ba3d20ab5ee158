// The second verifier, in Python, over many files in one process; and how far it must say what the first one says: the same status and the
// same first reason, but of files that somebody sealed again, of which it leaves some things to the first and says so.
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
import json, resource, sys, time
sys.path.insert(0, sys.argv[1])
import assize_verify as verifier
for line in sys.stdin:
    asked = json.loads(line)
    given = {name: [] for name in verifier.OPTIONS}
    words = asked.get("words", [])
    for name, value in zip(words[::2], words[1::2]):
        given[name].append(value)
    began = time.process_time()
    status, lines = verifier.verdict(asked["path"], verifier.read_trust(given))
    seconds = time.process_time() - began
    lines = [verifier.visible(line) for line in lines]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
    print(json.dumps({"status": status, "lines": lines, "seconds": seconds, "megabytes": megabytes}))
`

interface TimedLines extends VerifiedLines {
  /** In which the processor worked for it. */
  readonly seconds: number
  /** The most that its process has had so far. */
  readonly megabytes: number
}

/** In their order, with the time that each took. */
export function timedVerdicts(files: readonly AskedFile[]): readonly TimedLines[] {
  return driven<TimedLines>(driver, files)
}

/** In their order. */
export function secondVerdicts(files: readonly AskedFile[]): readonly VerifiedLines[] {
  return timedVerdicts(files).map(({ status, lines }) => ({ status, lines }))
}

const printing = `
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
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

/** Reasons that are alike if they are alike so far: what follows is a program's own way of putting it (RECEIPT.md, 7.4). */
const ownWords = [
  /^assize: the receipt's formula \d+ (is refused|does not fit its series):/,
  /^assize: the receipt's data do not suffice:/,
  /^assize: the archive cannot be relied on:/,
  /^assize: .* cannot be read as strict JSON:/,
]

/** What both verifiers have to say alike. */
function firstReason({ status, lines }: VerifiedLines): string {
  const [reason = ''] = lines
  const said = ownWords.map(words => words.exec(reason)?.[0]).find(found => found !== undefined) ?? reason
  return `exit ${status}: ${said}`
}

/** What the second verifier judges for itself, whoever sealed a file. */
const promised =
  /^refused: (?:(?:[^:]*: )?[^:]*: )?(?:hash: |seal: |signatures: |the (?:buyer|supplier)'s signature |its hash|its seal|it is sealed|publication \d+ |the log contradicts|.* was changed$|.* does not belong to it$)|^not proven: /

const left = /^left to assize verify: whether /

/** Why the two verdicts on a file do not agree, in a sentence; null where they do. */
export function disagreement(first: VerifiedLines, second: VerifiedLines, isSealedAgain: boolean): string | null {
  const [one, other] = [firstReason(first), firstReason(second)]
  const apart = `the first says ${one}, the second ${other}`
  if (second.status === 0 && !second.lines.some(line => left.test(line) || line.startsWith('same: entry ')))
    return 'the second does not say what it leaves to the first'
  if (one === other) return null
  if (!isSealedAgain || first.status === 0) return apart
  // It may see less, and never more, and nothing of what it judges for itself.
  if (second.status === 1) return null
  return first.lines.some(line => promised.test(line)) ? apart : null
}
