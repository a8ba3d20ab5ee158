// What a drill says about the receipts of a restored database, over the demo: all of them are sound, and one that was changed is named.
import { expect, test } from 'vitest'
import { judgeStored } from '../../src/storage/backups/stored-receipts.ts'
import { demoHouse } from '../support/houses/demo-house.ts'

const house = demoHouse()

test('every receipt of the demo recomputes, with those of its corrections', async () => {
  const { owner } = house.place
  const [row] = await owner<{ receipts: number; corrections: number }[]>`
    select (select count(*) from signed_receipt) as receipts, (select count(*) from correction) as corrections`
  const { receipts, corrections } = row!
  expect([receipts > 50, corrections > 0]).toEqual([true, true])
  expect(await judgeStored(owner)).toEqual({ count: receipts, problems: [] })
})

test('one that says another number is named', async () => {
  const { owner } = house.place
  const [row] = await owner<{ slug: string; period: string; hash: string; receipt: string }[]>`
    select a.slug, r.period, r.receipt_hash as hash, r.receipt from signed_receipt r
    join agreement a on a.id = r.agreement_id order by 1, 2 limit 1`
  const { slug, period, hash, receipt } = row!
  const changed = receipt.replace(/"factor":"(\d)/, (_, digit) => `"factor":"${(Number(digit) + 1) % 10}`)
  expect(changed).not.toBe(receipt)
  await owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`update signed_receipt set receipt = ${changed} where receipt_hash = ${hash}`
  })
  const { problems } = await judgeStored(owner)
  expect(problems).toEqual([expect.stringContaining(`receipt of ${slug}, ${period}: `)])
})
