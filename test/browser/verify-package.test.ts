// An evidence package on the page /verify, by somebody without an account: dropped as it was downloaded, with a digit changed, cut,
// and packed again by another program.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { unzip } from '../support/files/unzip.ts'
import { writeZip } from '../support/files/zip-writer.ts'
import type { Visit } from './house.ts'
import { shareHouse } from './reading-house.ts'
import { chooseFile, dropFile, expectQuiet, plain } from './story.ts'

let auditor: Visit
let archive: Buffer
let entries: { readonly path: string; readonly body: Uint8Array }[]
const asked: string[] = []

shareHouse(async house => {
  const olga = await house.visit('olga')
  await olga.open('/agreements/steel-tubes')
  await olga.page.getByRole('button', { name: 'Evidence' }).click()
  const dialog = olga.page.getByRole('dialog')
  const [download] = await Promise.all([
    olga.page.waitForEvent('download', { timeout: 60_000 }),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  archive = await readFile(await download.path())
  entries = [...unzip(archive)].map(([path, body]) => ({ path, body }))
  expectQuiet(olga)
  auditor = await house.stranger()
  await auditor.page.goto(`${house.address}/verify`, { waitUntil: 'networkidle' })
  await auditor.page.getByText(/^Drop a receipt/).waitFor()
  auditor.page.on('request', request => asked.push(request.url()))
  // No server can be reached: the result is the page's own.
  await auditor.context.setOffline(true)
})

const given = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })

async function drop(name: string, buffer: Buffer, heading: string): Promise<string> {
  const { page } = auditor
  await dropFile(page, page.getByText(/^Drop (?:a|another) receipt/), given(name, buffer))
  await page.getByText(`${name}: `, { exact: false }).first().waitFor()
  await page.getByRole('heading', { level: 2, name: heading }).waitFor()
  return plain(await page.locator('main').innerText())
}

describe('an evidence package on /verify', () => {
  test('verifies as it was downloaded, with every number, correction and what rests on the operator’s word', async () => {
    const words = await drop('tubes.zip', archive, 'Everything verifies')
    expect(words).toMatch(/Key This installation’s, ins_[0-9a-z]{26}\. ed25519:[\w-]{43}/)
    expect(words).toContain('On the operator’s word That ')
    expect(words).toContain('That nothing about these periods was left out.')
    expect(words).toMatch(/Every correction 1 computed again from the receipts they name\. good/)
    expect(words).toMatch(
      /2025-Q4 .*buyer, ann@buyer\.test: made by the operator; .*supplier, sam@supplier\.test: .*computed again: same/,
    )
    expect(words).toMatch(
      /200\.00.* Agreed buyer, ann@buyer\.test: .*supplier, sam@supplier\.test: .*computed again: same/,
    )
    expect(words).not.toContain('wrong')
    expect(asked).toEqual([])
    expectQuiet(auditor)
  })

  test('is red with one digit changed, and says where', async () => {
    const receipt = entries.find(({ path }) => path.includes('/receipts/'))!
    const changed = Buffer.from(receipt.body)
    const place = changed.indexOf('"value": "') + 10
    changed[place] = changed[place] === 0x31 ? 0x32 : 0x31
    const forged = writeZip(entries.map(each => (each === receipt ? { ...each, body: changed } : each)))
    const words = await drop('forged.zip', forged, 'Something was changed')
    expect(words).toContain(`${receipt.path.split('/').slice(1).join('/')} was changed`)
    expect(words).toContain('do not rely on this package')
    expectQuiet(auditor)
  })

  test('is refused in words when it is cut, and accepted when another program packed it again', async () => {
    const words = await drop('cut.zip', archive.subarray(0, archive.length - 100), 'This cannot be verified')
    expect(words).toContain('cut.zip: this is not a whole ZIP archive: its directory is missing.')
    const again = writeZip(entries.map(each => ({ ...each, isDeflated: true })))
    await chooseFile(auditor.page, 'Choose a file', given('again.zip', again))
    await auditor.page.getByText('again.zip: every number was computed again').waitFor()
    expect(asked).toEqual([])
    expectQuiet(auditor)
  })
})
