import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { House, Visit } from './house.ts'
import { settle } from './pages.ts'
import { shareHouse } from './reading-house.ts'
import { askApi, chooseFile, dropFile, expectQuiet, plain, takeFile, textFile } from './story.ts'

let house: House
/** Has no account. */
let somebody: Visit
/** What their page has requested since it was loaded. */
const asked: string[] = []
let receipt: { readonly name: string; readonly text: string }

shareHouse(async shared => {
  house = shared
  const [ann, stranger] = await Promise.all([house.visit('ann'), house.stranger()])
  await ann.open('/agreements/steel-brackets/periods/2025-Q4')
  receipt = await takeFile(ann.page, ann.page.getByRole('link', { name: 'Receipt' }))
  expectQuiet(ann)
  somebody = stranger
  const keys = somebody.page.waitForResponse(/assize-keys\.json$/)
  await somebody.page.goto(`${house.address}/verify`, { waitUntil: 'networkidle' })
  await keys
  await settle(somebody.page)
  somebody.page.on('request', request => asked.push(request.url()))
})

const json = 'application/json'

async function drop(text: string, name = receipt.name): Promise<void> {
  const { page } = somebody
  await dropFile(page, page.getByText(/^Drop (?:a|another) receipt/), textFile(name, text, json))
}

async function verdict(page: Page, heading: string): Promise<string> {
  await page.getByRole('heading', { level: 2, name: heading }).waitFor()
  return plain(await page.locator('main').innerText())
}

describe('a receipt', () => {
  test('is downloaded from its adjustment and is the API’s', async () => {
    expect(receipt.name).toBe('receipt-steel-brackets-2025-Q4.json')
    const told = await askApi<{ hash: string; body: unknown }>(
      house,
      '/pams/steel-brackets/adjustment/receipt?period=2025-Q4',
    )
    expect(JSON.parse(receipt.text)).toEqual(told)
  })

  test('is the same where nothing was changed, computed by the page alone', async () => {
    // No server can be reached: the result is the page's own.
    await somebody.page.waitForLoadState('networkidle')
    await somebody.context.setOffline(true)
    await drop(receipt.text)
    const words = await verdict(somebody.page, 'Verified: recomputed to the same')
    const { body } = JSON.parse(receipt.text) as { body: { result: { adjustmentPct: string } } }
    expect(words).toContain(`Verified: recomputed to the same +${body.result.adjustmentPct} %`)
    expect(words).toMatch(
      /Recomputes Yes, every line, by edition 2 of the rules\. Today’s compiler writes the same steps\./,
    )
    expect(words).toMatch(/Key This installation’s, ins_[0-9a-z]{26}\. ed25519:[\w-]{43}/)
    expect(words).toMatch(/Signatures For the buyer by .*For the supplier by /)
    expect(words).toContain('On the operator’s word That ')
    expect(words).toMatch(/\d+ figures Uploaded by \S+, \d+ \w+ \d{4}, file figures of the demo SHA-256 [0-9a-f]{64}/)
    expect(asked).toEqual([])
    expectQuiet(somebody)
  })

  test('is different with one digit altered, and both numbers are shown', async () => {
    const observed = /"value":"(\d+\.\d*)(\d)"/.exec(receipt.text)!
    const other = observed[2] === '9' ? '8' : '9'
    await drop(receipt.text.replace(observed[0], `"value":"${observed[1]}${other}"`))
    const words = await verdict(somebody.page, 'Different')
    const parts = /The receipt says (\S+) Recomputed (\S+)/.exec(words)
    expect(parts, words).not.toBeNull()
    expect(parts![1]).not.toBe(parts![2])

    const { result } = (JSON.parse(receipt.text) as { body: { result: { price: string } } }).body
    const [price, dearer] = [result.price, result.price.replace(/^\d/, digit => `${(Number(digit) % 9) + 1}`)]
    await drop(receipt.text.replace(`"price":"${price}"`, `"price":"${dearer}"`))
    await somebody.page.getByText('the price', { exact: true }).waitFor()
    expect(await verdict(somebody.page, 'Different')).toContain(`The receipt says ${dearer} Recomputed ${price}`)
    expect(asked).toEqual([])
    expectQuiet(somebody)
  })

  test('is not proven without its seal, nor with a signature removed', async () => {
    const { hash, body, signatures, seal } = JSON.parse(receipt.text) as Record<string, unknown[]>
    await drop(JSON.stringify({ hash, body, signatures, seal: null }))
    const heading = 'It recomputes, but is not proven'
    expect(await verdict(somebody.page, heading)).toContain('Key None: the receipt carries no seal.')
    await drop(JSON.stringify({ hash, body, signatures: signatures!.slice(1), seal }))
    await somebody.page.getByText(/^The seal does not match this receipt/).waitFor()
    await verdict(somebody.page, heading)
    expect(asked).toEqual([])
    expectQuiet(somebody)
  })

  test('that is not a receipt is refused in words, and the next one is accepted', async () => {
    await drop('Dear Sam, please find attached', 'letter.json')
    expect(await verdict(somebody.page, 'This cannot be verified')).toContain(
      'letter.json: the receipt cannot be read as strict JSON: a value is missing',
    )
    await drop('{"hash":"1","body":{"steps":[]}}', 'half.json')
    await somebody.page.getByText(/^half\.json: /).waitFor()
    expect(await verdict(somebody.page, 'This cannot be verified')).not.toContain('undefined')
    await chooseFile(somebody.page, 'Choose a file', textFile(receipt.name, receipt.text, json))
    await verdict(somebody.page, 'Verified: recomputed to the same')
    expect(asked).toEqual([])
    expectQuiet(somebody)
  })
})
