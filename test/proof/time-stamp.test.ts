// Time stamps of an authority that OpenSSL is: one over a checkpoint is kept, another is not, and who signed it is what the command says
// that is printed.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RFC3161Timestamp } from '@sigstore/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isStampOf, opensslCommand, readStamp } from '../../src/core/proof/time-stamp.ts'
import { type Instant, instantOfMicros, microsOf } from '../../src/core/time/instant.ts'
import { openAsk } from '../../src/proof/bounded-request.ts'
import { askForStamp } from '../../src/proof/time-stamp.ts'
import { runInShell, type StampFault, startTimeAuthority, type TimeAuthority } from '../support/proof/time-authority.ts'

const ask = openAsk('assize tests', new AbortController().signal)
const text = 'prices.example.com/log\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
const now = (): Instant => instantOfMicros(Date.now() * 1000)
let folder = ''
let authority: TimeAuthority
let stranger: TimeAuthority
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assize-stamps-'))
  ;[authority, stranger] = [await startTimeAuthority(), await startTimeAuthority()]
})
afterAll(async () => {
  await Promise.all([authority.stop(), stranger.stop()])
  rmSync(folder, { recursive: true })
})

const read = (token: Buffer) => readStamp(Uint8Array.from(token))

test('an authority stamps a text, and its answer is read as others read it', async () => {
  const began = Math.floor(Date.now() / 1000) * 1_000_000
  const stamp = await askForStamp(ask, authority.url, text, now())
  expect(stamp.authority).toBe(authority.host)
  expect(microsOf(stamp.stampedAt)).toBeGreaterThanOrEqual(began)
  expect(isStampOf(read(stamp.token)!, text)).toBe(true)
  expect(isStampOf(read(stamp.token)!, `${text}x`)).toBe(false)
  // The package that others read tokens with.
  const theirs = RFC3161Timestamp.parse(Buffer.concat([answerHead(stamp.token), stamp.token]))
  expect(theirs.signingTime.getTime() * 1000).toBe(Number(microsOf(stamp.stampedAt)))
  expect(theirs.tstInfo.messageImprintHashedMessage).toEqual(Buffer.from(read(stamp.token)!.digest))
})

test('the printed command says who signed a stamp: the authority that is trusted, and no other', async () => {
  const { token } = await askForStamp(ask, authority.url, text, now())
  writeFileSync(join(folder, "a stamp's.der"), token)
  const answer = authority.answerTo(text)
  writeFileSync(join(folder, 'answer.tsr'), answer)
  const commands = [
    opensslCommand(read(token)!, "a stamp's.der", 'token'),
    opensslCommand(read(token)!, 'answer.tsr', 'answer'),
  ]
  copyFileSync(authority.rootFile, join(folder, 'root.pem'))
  for (const command of commands) expect(runInShell(command, folder), command).toMatchObject({ isGood: true })
  copyFileSync(stranger.rootFile, join(folder, 'root.pem'))
  for (const command of commands) expect(runInShell(command, folder), command).toMatchObject({ isGood: false })

  // A token ends with its signature. With another one it is read as before, and OpenSSL finds it.
  copyFileSync(authority.rootFile, join(folder, 'root.pem'))
  const forged = Buffer.from(token)
  forged[forged.length - 3]! ^= 0x01
  expect(isStampOf(read(forged)!, text)).toBe(true)
  writeFileSync(join(folder, 'forged.der'), forged)
  expect(runInShell(opensslCommand(read(forged)!, 'forged.der', 'token'), folder)).toMatchObject({ isGood: false })
})

const faults: Readonly<Record<StampFault, RegExp>> = {
  refused: /refused with status 2/,
  'other text': /it is over another text/,
  'other request': /does not answer this request/,
  nonsense: /not valid: it cannot be read/,
}

test.each(Object.keys(faults) as StampFault[])('an answer is refused: %s', async fault => {
  authority.fault = fault
  await expect(askForStamp(ask, authority.url, text, now())).rejects.toThrow(faults[fault])
  authority.fault = null
})

test('a stamp of another time than ours is refused', async () => {
  const tomorrow = instantOfMicros((Date.now() + 86_400_000) * 1000)
  await expect(askForStamp(ask, authority.url, text, tomorrow)).rejects.toThrow(/says .* and it is/)
})

/** What stands before a token in an answer: that it was granted. */
function answerHead({ length }: Buffer): Buffer {
  return Buffer.of(0x30, 0x82, (length + 5) >> 8, (length + 5) & 0xff, 0x30, 0x03, 0x02, 0x01, 0x00)
}

test('no two requests for a stamp are the same', async () => {
  authority.requests.length = 0
  await askForStamp(ask, authority.url, text, now())
  await askForStamp(ask, authority.url, text, now())
  expect(authority.requests[0]).toHaveLength(authority.requests[1]!.length)
  expect(authority.requests[0]!.equals(authority.requests[1]!)).toBe(false)
})
