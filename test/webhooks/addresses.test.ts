// Where webhooks may go: 60 hostile addresses are refused when they are entered, and those that show only later, by what a name resolves
// to or what a receiver answers, when something is sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resolve } from '../../src/outbound/address.ts'
import { PrivateHosts } from '../../src/outbound/private-hosts.ts'
import { readEndpoint } from '../../src/webhooks/endpoint-address.ts'
import { house } from '../support/houses/house.ts'
import { answer, Receiver } from './receiver.ts'
import { WebhookProcess } from './webhook-ground.ts'

const nothingListed = new PrivateHosts([])

/** What names resolve to in this file. */
const names: Readonly<Record<string, readonly string[]>> = {
  'good.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'inside.example': ['10.1.2.3'],
  'office.example': ['192.168.1.10'],
  'metadata.example': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  'six.example': ['fd00::1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'zero.example': ['0.0.0.0'],
}
const resolve: Resolve = async name => {
  const found = names[name]
  if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  return found.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
}

const hostile = [
  // Other than https.
  'http://good.example/',
  'ftp://good.example/',
  'file:///etc/passwd',
  'gopher://good.example/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://good.example/',
  'unix:/var/run/docker.sock',
  '//good.example/',
  'good.example',
  '',
  ' ',
  // Credentials.
  'https://user@good.example/',
  'https://user:secret@good.example/',
  'https://:secret@good.example/',
  'https://good.example@10.0.0.1/',
  // IPv4 that is not public.
  'https://127.0.0.1/',
  'https://127.1.2.3/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://192.0.0.1/',
  'https://192.88.99.1/',
  'https://240.0.0.1/',
  // The same, written otherwise.
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://0x7f.1/',
  'https://0/',
  'https://167772161/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127.0.0.1./',
  'https://012.0.0.1/',
  // IPv6.
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[64:ff9b::a00:1]/',
  'https://[2002:a00:1::]/',
  'https://[2001:db8::1]/',
  'https://[ff02::1]/',
  'https://[2001::1]/',
  'https://[::10.0.0.1]/',
  // Names.
  ...Object.keys(names)
    .filter(name => name !== 'good.example')
    .map(name => `https://${name}/`),
  'https://nowhere.example/',
  'https://LOCALHOST/',
  'https://localhost:8443/',
  // Ports of other services, and what is never sent.
  'https://good.example:22/',
  'https://good.example:25/',
  'https://good.example:80/',
  'https://good.example:0/',
  'https://good.example:99999/',
  'https://good.example/#part',
  `https://good.example/${'x'.repeat(500)}`,
] as const

describe('an address', () => {
  test('is refused in more than 60 hostile forms', async () => {
    expect(new Set(hostile).size).toBeGreaterThanOrEqual(60)
    const accepted: string[] = []
    for (const each of hostile)
      await readEndpoint(each, resolve, nothingListed).then(
        () => accepted.push(each),
        error => expect(error, each).toMatchObject({ kind: 'invalid' }),
      )
    expect(accepted).toEqual([])
  })

  test('is accepted by https on the public internet, also on another port', async () => {
    for (const each of [
      'https://good.example/hooks/assize?x=1',
      'https://good.example:8443/',
      'https://93.184.216.34/',
    ])
      expect(await readEndpoint(each, resolve, nothingListed)).toBe(each)
  })

  test('inside the house is accepted if the operator lists it', async () => {
    const listed = new PrivateHosts(['inside.example', '192.168.1.0/24', '127.0.0.1'])
    const inside = [
      'https://inside.example/',
      'https://office.example/',
      'https://192.168.1.7/',
      'http://127.0.0.1:9999/',
    ]
    for (const each of inside) expect(await readEndpoint(each, resolve, listed)).toBe(each)
    for (const each of ['https://six.example/', 'http://inside.example/', 'https://10.9.9.9/'])
      await expect(readEndpoint(each, resolve, listed)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('what is sent', () => {
  const { api } = house()
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await Receiver.open()
  })
  afterAll(() => receiver.close())

  test('never reaches a name that resolves inside the house by then, and follows no redirect', async () => {
    const tenant = await api.tenant()
    let rebound = 0
    const rebinding: Resolve = async () => {
      rebound++
      return [{ address: '127.0.0.2', family: 4 }]
    }
    const process = new WebhookProcess(api, undefined, { resolve: rebinding })
    // It was public when it was entered.
    const named = await process.create(tenant, `https://good.example:${receiver.port}/named`, ['observations'])
    const moved = await process.create(tenant, receiver.url('/moved'), ['observations'])
    const written = await process.create(tenant, `https://10.0.0.1/written`, ['observations'])
    receiver.answering = answer(307, { location: receiver.url('/elsewhere') })
    await tenant.importValues('CUSTOM/a', { '2024-01': '1' })
    await process.attempt()
    expect(rebound).toBe(1)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/moved'])
    const troubles = await Promise.all([named, moved, written].map(({ id }) => process.deliveries(tenant, id)))
    expect(troubles.map(([first]) => [first!.status, first!.outcome, first!.trouble])).toEqual([
      [
        null,
        'WAITING',
        expect.stringMatching(/^good\.example resolves to an address inside the house, which is not a public address/),
      ],
      [null, 'WAITING', `127.0.0.1:${receiver.port} redirects, which is not followed`],
      [null, 'WAITING', expect.stringMatching(/^10\.0\.0\.1 is not a public address/)],
    ])
  })
})
