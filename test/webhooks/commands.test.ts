// The commands on webhooks as an operator types them: what they print, what they refuse, and that their receivers notice.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandHouse, openCommandHouse, runCommand } from '../support/houses/command-house.ts'
import { answer, Receiver } from './receiver.ts'
import { verified, WebhookProcess } from './webhook-ground.ts'

let house: CommandHouse
let receiver: Receiver
beforeAll(async () => {
  house = await openCommandHouse()
  receiver = await Receiver.open()
})
afterAll(async () => {
  await receiver.close()
  await house.close()
})

async function webhook(...words: string[]) {
  const { status, out, err } = await runCommand(['webhook', ...words], {
    ...house.env,
    ASSIZE_PRIVATE_HOSTS: '127.0.0.1',
  })
  return { status, said: `${out}${err}` }
}

async function importValue(slug: string, code: string): Promise<void> {
  const path = await house.write('values.csv', `series,period,value,published\nCUSTOM/${code},2024-01,1,2024-02-01\n`)
  expect((await house.run(['import', '--workspace', slug, path])).status).toBe(0)
}

const instant = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`

test('an operator creates, reads, disables, enables, rotates and replays by commands', async () => {
  const { slug } = await house.makeWorkspace()
  const process = new WebhookProcess(house.installation)
  const deliver = async () => {
    // Behind what the commands wrote by the clock of the machine.
    process.clock.forward(60)
    await process.deliver()
  }
  expect((await webhook('list', '--workspace', slug)).said).toBe(`${slug} has no webhooks\n`)
  const url = receiver.url('/commands')
  const made = await webhook('create', '--workspace', slug, '--url', url, '--events', 'observations, agreed')
  const [secret, , line] = made.said.split('\n') as [string, string, string]
  const id = line.split(' ')[0]!
  expect(line).toBe(`${id} tells ${url} of observations, agreed. Keep the secret now: it is not shown again.`)

  await importValue(slug, 'a')
  await deliver()
  const [first] = receiver.at('/commands')
  expect(verified(first!, secret)).toBe(true)
  const listed = (await webhook('list', '--workspace', slug)).said
  expect(listed).toMatch(
    new RegExp(`${id} .*observations,agreed +by operator +enabled +0 waiting +last delivered ${instant}`),
  )
  expect(listed).not.toContain(secret)
  expect((await webhook('deliveries', id)).said).toMatch(
    new RegExp(`^ *${first!.id} +observations +${instant} +1 attempt +delivered: 204\n$`),
  )
  expect((await webhook('deliveries', id, '--state', 'failed')).said).toBe(`${id} has no failed deliveries\n`)

  expect((await webhook('disable', id)).said).toMatch(new RegExp(`^${id}: disabled \\(${instant}\\)\n$`))
  await importValue(slug, 'b')
  await deliver()
  expect(receiver.at('/commands')).toHaveLength(1)
  expect((await webhook('enable', id)).said).toBe(`${id}: enabled\n`)
  const rotated = await webhook('rotate', id, '--old', 'ends')
  expect(rotated.said).toContain('The old one no longer signs. Keep it now: it is not shown again.')
  receiver.answering = answer(410)
  await deliver()
  const [, second] = receiver.at('/commands')
  expect(verified(second!, secret)).toBe(false)
  expect(verified(second!, rotated.said.split('\n')[0]!)).toBe(true)
  expect((await webhook('deliveries', id, '--state', 'failed')).said).toContain('failed: it answered 410')
  expect((await webhook('list', '--workspace', slug)).said).toContain('answered 410')

  receiver.answering = answer(204)
  await webhook('enable', id)
  expect((await webhook('replay', id, '--failed')).said).toBe('1 event to be sent again\n')
  await deliver()
  expect(receiver.at('/commands').map(each => each.id)).toEqual([first!.id, second!.id, second!.id])
  expect(JSON.parse((await webhook('replay', id, '--since', '2020-01-01', '--json')).said)).toEqual({ replayed: 2 })
})

test('what cannot be done is said in a sentence, with the status of misuse where it is one', async () => {
  const { slug } = await house.makeWorkspace()
  const create = (...words: string[]) => webhook('create', '--workspace', slug, ...words)
  const refused = [
    await create('--events', 'agreed'),
    await create('--url', receiver.url('/x')),
    await create('--url', receiver.url('/x'), '--events', 'nonsense'),
    await create('--url', 'http://10.0.0.1/x', '--events', 'agreed'),
    await webhook('disable', 'whk_nobody'),
  ]
  expect(refused.map(({ status, said }) => `${status} ${said.slice(0, 60).trim()}`)).toEqual([
    '2 assize: --url is missing: say where events are sent',
    '2 assize: --events is missing: name some of observations, meta',
    '1 assize: there is no event "nonsense"; there are observations',
    '1 assize: 10.0.0.1 must be asked by https',
    '1 assize: there is no webhook "whk_nobody"',
  ])
  expect((await webhook('list', '--workspace', slug)).said).toBe(`${slug} has no webhooks\n`)
})
