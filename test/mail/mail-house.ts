// A workspace whose people get mail: its agreement, what they do there, and when nothing more is on its way to them.
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Instant, instantOfMicros } from '../../src/core/time/instant.ts'
import type { Sql } from '../../src/storage/postgres/database.ts'
import type { AdjustmentPage } from '../../src/views/shapes/agreements.ts'
import { bracketsDocument } from '../support/agreements/brackets.ts'
import type { ReceivedMail } from '../support/clients/mailbox.ts'
import type { Browser, emails, Seats } from '../support/houses/console.ts'

export interface MailHouse extends Seats {
  /** The addresses of its people. */
  readonly mail: Readonly<Record<keyof typeof emails, string>>
}

export const brackets = ({ mail }: MailHouse, changes: Parameters<typeof bracketsDocument>[0] = {}) =>
  bracketsDocument({ more: `parties: { buyer: [${mail.buyer}], supplier: [${mail.supplier}] }`, ...changes })

export const path = '/agreements/brackets/periods/2024-Q2'
export const revision = 'series,period,value,version,published\nCUSTOM/steel,2024-03,108.00,REVISED,2024-05-15\n'

export const ofHouse = (house: MailHouse) => (mail: ReceivedMail) => Object.values(house.mail).includes(mail.to)

/** Objects to a number; the objection's id. */
export async function object(browser: Browser): Promise<string> {
  const { entry } = await browser.json<AdjustmentPage>(path)
  const said = { hash: entry.hash, about: { kind: 'number' }, reason: 'Secret reason 4711.', reading: null }
  const { status, json } = await browser.post(`${path}/objections`, said)
  expect(status).toBe(201)
  return (json as AdjustmentPage).objections.list.at(-1)!.id
}

/** One whole look from now on. */
export async function looked(owner: Sql, { tenant }: MailHouse): Promise<void> {
  const before = instantOfMicros(Date.now() * 1000)
  await until(async () => {
    const [row] = await owner<{ at: Instant }[]>`
      select looked_at as at from mail_look where workspace_id = ${tenant.id}`
    return row !== undefined && row.at >= before
  })
}

/** Two whole looks from now on, and after them nothing waits for a mail or for the mail server, except for a digest. */
export async function quiet(owner: Sql, house: MailHouse): Promise<void> {
  await looked(owner, house)
  await looked(owner, house)
  const { id } = house.tenant
  await until(async () => {
    const waiting = await owner`
      select 1 from mail where workspace_id = ${id} and outcome is null
      union all select 1 from notice n left join mail_choice c on c.workspace_id = n.workspace_id and c.email = n.email
      where n.workspace_id = ${id} and n.mail_id is null and not coalesce(c.is_digest, false)`
    return waiting.length === 0
  })
}

export async function until(what: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(10)) if (await what()) return
  throw new Error('it did not happen in time')
}
