// Time stamps: a real token over a checkpoint is kept, and one that is wrong in any way is not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Instant, instantOfMicros, microsOf } from '../../src/core/time/instant.ts'
import { openAsk } from '../../src/proof/bounded-request.ts'
import { askForStamp, checkStamp } from '../../src/proof/time-stamp.ts'
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
    expect(checkStamp(stamp.token, text)).toEqual(stamp)
    expect(() => checkStamp(stamp.token, text.replace('42', '43'))).toThrow(/not valid/)
    for (let at = 0; at < stamp.token.length; at += 37) {
      const damaged = Buffer.from(stamp.token)
      damaged[at]! ^= 0x01
      // A changed byte is refused, or is in a part that says nothing about text and time.
      const read = readOrNull(damaged)
      expect(read === null || read.stampedAt === stamp.stampedAt, `byte ${at}`).toBe(true)
    }
  })

  const faults: Readonly<Record<StampFault, RegExp>> = {
    refused: /refused with status 2/,
    'other text': /not match|not valid/,
    'other request': /does not answer this request/,
    'other time': /says .* and it is/,
    expired: /was not valid on/,
    'other purpose': /for something else/,
    'other signer': /for something else/,
    'broken signature': /not valid: .*(signature|not hold)/,
    'other issuer': /was not issued by/,
    'no certificates': /is missing/,
    nonsense: /not valid/,
  }

  test.each(Object.keys(faults) as StampFault[])('is refused with %s', async fault => {
    authority.fault = fault
    await expect(askForStamp(ask, authority.url, text, now())).rejects.toThrow(faults[fault])
    authority.fault = null
  })
})

function readOrNull(token: Buffer) {
  try {
    return checkStamp(token, text)
  } catch {
    return null
  }
}

test('no two requests for a stamp are the same', async () => {
  const authority = await startTimeAuthority('ec')
  await askForStamp(ask, authority.url, text, now())
  await askForStamp(ask, authority.url, text, now())
  await authority.stop()
  expect(authority.requests[0]).toHaveLength(authority.requests[1]!.length)
  expect(authority.requests[0]!.equals(authority.requests[1]!)).toBe(false)
})
