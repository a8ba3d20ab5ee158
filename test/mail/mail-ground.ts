// Mail to people over a real mail server: the server of the pages, what sends, the mailbox they reach, and workspaces whose people
// get mail.
import { readConfig } from '../../src/config.ts'
import { type Mailing, type MailingTimes, startMailing } from '../../src/notifications.ts'
import { bracketsTable } from '../support/agreements/brackets.ts'
import { Mailbox, type ReceivedMail } from '../support/clients/mailbox.ts'
import { emails, makeSeats, openConsole, type Seats, type TestConsole } from '../support/houses/console.ts'
import { openTestDatabase, type TestDatabase, testSecret } from '../support/run/postgres.ts'
import { brackets, looked, type MailHouse, ofHouse, quiet } from './mail-house.ts'

export const login = { user: 'assize', password: 'p@ss/word of the mail server' }

export async function openMailGround(): Promise<MailGround> {
  const mailbox = new Mailbox(login)
  await mailbox.start()
  const database = await openTestDatabase()
  const console = await openConsole({ env: { ...environmentOf(mailbox), METRICS_PORT: '0' } }, database)
  return new MailGround(mailbox, database, console)
}

function environmentOf(mailbox: Mailbox) {
  return {
    SMTP_URL: mailbox.url,
    ASSIZE_PUBLIC_URL: 'https://prices.example',
    ASSIZE_MAIL_FROM: 'Assize <prices@prices.example>',
  }
}

export class MailGround {
  readonly mailbox: Mailbox
  readonly database: TestDatabase
  readonly console: TestConsole
  readonly owner: TestDatabase['owner']
  readonly logged: string[] = []
  readonly log = { debug: this.#noter(), info: this.#noter(), warn: this.#noter(), error: this.#noter() }
  /** How many workspaces were made. */
  made = 0
  readonly #running = new Set<Mailing>()
  readonly #left: string[] = []

  constructor(mailbox: Mailbox, database: TestDatabase, console: TestConsole) {
    this.mailbox = mailbox
    this.database = database
    this.console = console
    this.owner = database.owner
  }

  #noter() {
    return (facts: object, message: string) => void this.logged.push(JSON.stringify({ ...facts, message }))
  }

  start(times: MailingTimes = {}): Mailing {
    const { config } = readConfig({ PORT: '0', ...environmentOf(this.mailbox) })
    const task = { target: this.database.target, secret: testSecret, config: config! }
    const mailing = startMailing(task, this.log, { postMs: 20, lookMs: 20, leastPauseMs: 20, apartMs: 0, ...times })
    this.#running.add(mailing)
    return mailing
  }

  async stop(mailing: Mailing): Promise<void> {
    this.#running.delete(mailing)
    await mailing.stop()
  }

  /** While mail is sent; afterwards nothing more is. */
  async whileSending<T>(work: () => Promise<T>, times: MailingTimes = {}): Promise<T> {
    const mailing = this.start(times)
    try {
      return await work()
    } finally {
      await this.stop(mailing)
    }
  }

  /** Whose people leave with the next house. */
  leaving({ tenant }: Seats): void {
    this.#left.push(tenant.id)
  }

  /**
   * Different people each time, so that mailboxes distinguish the workspaces. Those of the test before leave theirs: every look
   * goes through all workspaces with people.
   */
  async open(): Promise<MailHouse> {
    await this.owner`delete from member where workspace_id = any(${this.#left}::text[])`
    const prefix = `m${++this.made}-`
    const seats = await makeSeats(this.console.api, prefix)
    this.leaving(seats)
    const mail = Object.fromEntries(Object.entries(emails).map(([role, email]) => [role, `${prefix}${email}`]))
    return { ...seats, mail: mail as MailHouse['mail'] }
  }

  /** Mail is on since before anything happened. */
  async ready(): Promise<MailHouse> {
    const house = await this.open()
    await this.whileSending(() => looked(this.owner, house))
    await house.tenant.import(bracketsTable)
    await house.tenant.apply(brackets(house))
    return house
  }

  /** When so many mails have come to people of the house, and nothing more is on its way. */
  settle(
    house: MailHouse,
    count: number,
    is: (mail: ReceivedMail) => boolean = ofHouse(house),
  ): Promise<readonly ReceivedMail[]> {
    return this.mailbox.settle(count, () => quiet(this.owner, house), is)
  }

  async close(): Promise<void> {
    for (const mailing of this.#running) await mailing.stop()
    await this.console.close()
    await this.mailbox.stop()
  }
}
