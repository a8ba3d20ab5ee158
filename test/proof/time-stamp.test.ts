// Time stamps: a real token over a checkpoint is kept, and one that is wrong in any way is not.
import { RFC3161Timestamp } from '@sigstore/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCertificates } from '../../src/core/proof/certificate.ts'
import { checkStamp, isStampOf, readStamp } from '../../src/core/proof/time-stamp.ts'
import { type Instant, instantOfMicros, microsOf } from '../../src/core/time/instant.ts'
import { openAsk } from '../../src/proof/bounded-request.ts'
import { askForStamp } from '../../src/proof/time-stamp.ts'
import { type StampFault, startTimeAuthority, type TimeAuthority } from '../support/proof/time-authority.ts'

const ask = openAsk('assize tests', new AbortController().signal)
const text = 'prices.example.com/log\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
const now = (): Instant => instantOfMicros(Date.now() * 1000)

describe.each(['rsa', 'ec'] as const)('an authority that signs with %s', kind => {
  let authority: TimeAuthority
  beforeAll(async () => {
    authority = await startTimeAuthority(kind)
  })
  afterAll(() => authority.stop())

  test('stamps a text, and its answer is checked again years later', async () => {
    const began = Math.floor(Date.now() / 1000) * 1_000_000
    const stamp = await askForStamp(ask, authority.url, text, now())
    expect(stamp.authority).toBe('Test Time Authority')
    expect(microsOf(stamp.stampedAt)).toBeGreaterThanOrEqual(began)
    expect(await readAgain(stamp.token)).toEqual({ name: stamp.authority, under: 'Test Root' })
    // The package that others read tokens with.
    const theirs = RFC3161Timestamp.parse(Buffer.concat([answerHead(stamp.token), stamp.token]))
    expect(theirs.signingTime.getTime() * 1000).toBe(Number(microsOf(stamp.stampedAt)))
    expect(theirs.tstInfo.messageImprintHashedMessage).toEqual(
      Buffer.from(readStamp(Uint8Array.from(stamp.token))!.digest),
    )
    for (let at = 0; at < stamp.token.length; at += 37) {
      const damaged = Buffer.from(stamp.token)
      damaged[at]! ^= 0x01
      // A changed byte is refused, or is in a part that nothing is concluded from.
      const read = await readAgain(damaged)
      expect(read === null || read.name === stamp.authority, `byte ${at}`).toBe(true)
    }
  })

  const readAgain = async (token: Buffer) => {
    const read = readStamp(Uint8Array.from(token))
    if (read === null || !isStampOf(read, text)) return null
    const checked = await checkStamp(crypto.subtle, read, readCertificates(authority.rootPem))
    return 'wrong' in checked ? null : { name: checked.name, under: checked.under }
  }

  const faults: Readonly<Record<Exclude<StampFault, 'long chain'>, RegExp>> = {
    refused: /refused with status 2/,
    'other text': /it is over another text/,
    'other request': /does not answer this request/,
    'other time': /says .* and it is/,
    expired: /was not valid on/,
    'other purpose': /is not made for time stamps/,
    'not critical': /is not made for time stamps/,
    'other signer': /not signed by the certificate that it names/,
    'broken signature': /not signed by the certificate that it names/,
    'other issuer': /no certificate that was sent with it is above Test Time Authority/,
    'no certificates': /cannot be read/,
    nonsense: /not valid/,
  }

  test.each(Object.keys(faults) as (keyof typeof faults)[])('is refused with %s', async fault => {
    authority.fault = fault
    await expect(askForStamp(ask, authority.url, text, now())).rejects.toThrow(faults[fault])
    authority.fault = null
  })
})

/** What stands before a token in an answer: that it was granted. */
function answerHead({ length }: Buffer): Buffer {
  return Buffer.of(0x30, 0x82, (length + 5) >> 8, (length + 5) & 0xff, 0x30, 0x03, 0x02, 0x01, 0x00)
}

test('no two requests for a stamp are the same', async () => {
  const authority = await startTimeAuthority('ec')
  await askForStamp(ask, authority.url, text, now())
  await askForStamp(ask, authority.url, text, now())
  await authority.stop()
  expect(authority.requests[0]).toHaveLength(authority.requests[1]!.length)
  expect(authority.requests[0]!.equals(authority.requests[1]!)).toBe(false)
})
