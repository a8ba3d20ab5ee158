// The evidence package of an agreement that has everything in it, as it was downloaded, and `verify` over what tests make of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { unpackEvidence } from '../files/evidence-package.ts'
import { type AskedFile, disagreement, hasPython, secondVerdicts } from '../files/second-verifier.ts'
import type { VerifiedLines } from '../files/verified-lines.ts'
import type { ZipEntry } from '../files/zip-writer.ts'
import type { Api } from './api.ts'
import { runCommand } from './command-house.ts'
import type { Browser } from './console.ts'
import { agreement, type EvidenceSeats, openEvidenceSeats } from './evidence-seats.ts'
import { house } from './house.ts'

type Files = ReadonlyMap<string, string>

interface PackageHouse extends EvidenceSeats {
  readonly api: Api
  /** Where it writes what it verifies. */
  readonly folder: string
  /** As it was downloaded. */
  readonly archive: Buffer
  /** The folder that everything in it is in, with its slash, and the text of each file. */
  readonly top: string
  readonly files: Files
  readonly take: (browser: Browser) => Promise<Buffer>
  readonly verify: (content: Buffer, ...words: string[]) => ReturnType<typeof runCommand>
  readonly expectRefused: (content: Buffer, words: string | RegExp, how: string) => Promise<void>
  readonly entriesOf: (files: Files, more?: Partial<ZipEntry>, under?: string) => ZipEntry[]
}

/** A package whose list and files hold, and which is refused for what stands in them, was sealed again by who made it. */
function isSealedAgain({ lines }: VerifiedLines): boolean {
  return !/^refused: (?:The list of files|Every file as it was sealed): |^assize: |^same: /.test(lines[0] ?? '')
}

/** Its parts are there once the tests begin. The second verifier judges each package that tests make, or one in three of them. */
export function packageHouse({ isEachJudged }: { readonly isEachJudged: boolean }): PackageHouse {
  const opened = {} as { -readonly [K in keyof PackageHouse]: PackageHouse[K] }
  const { api } = house()
  opened.api = api
  beforeAll(async () => {
    opened.folder = await mkdtemp(join(tmpdir(), 'assize-packages-'))
    Object.assign(opened, await openEvidenceSeats(api))
    opened.archive = await opened.take(opened.seats.as.owner)
    Object.assign(opened, unpackEvidence(opened.archive))
  })
  const judged: (AskedFile & { readonly first: VerifiedLines })[] = []
  // Whatever tests make of a package, the second verifier agrees about it.
  afterAll(async () => {
    const asked = hasPython ? judged.filter((_, at) => isEachJudged || at % 3 === 0) : []
    const second = secondVerdicts(asked.map(({ path, words }) => ({ path, words: words! })))
    await rm(opened.folder, { recursive: true, force: true })
    for (const [at, verdict] of second.entries()) {
      const { first, words } = asked[at]!
      expect(disagreement(first, verdict, isSealedAgain(first)), words?.join(' ')).toBe(null)
    }
  })
  return Object.assign(opened, {
    async take(browser: Browser) {
      const reply = await browser.get(`/agreements/${agreement}/evidence`, {
        headers: { 'accept-encoding': 'identity' },
      })
      expect(reply.status, reply.text.slice(0, 200)).toBe(200)
      return reply.body
    },
    async verify(content: Buffer, ...words: string[]) {
      const path = join(opened.folder, `package-${judged.length}.zip`)
      await writeFile(path, content)
      const { status, out, err } = await runCommand(['verify', path, ...words], {})
      if (words.every((word, at) => at % 2 === 1 || word.startsWith('--')) && !words.includes('--json'))
        judged.push({ path, words, first: { status: status!, lines: `${out}${err}`.trimEnd().split('\n') } })
      return { status, out, err }
    },
    async expectRefused(content: Buffer, words: string | RegExp, how: string) {
      const { status, out, err } = await opened.verify(content)
      expect([status, out], how).toEqual([1, ''])
      expect(err, how).toMatch(words)
    },
    entriesOf: (files: Files, more: Partial<ZipEntry> = {}, under = opened.top) =>
      [...files].map(([path, body]) => ({ path: `${under}${path}`, body, ...more })),
  })
}
