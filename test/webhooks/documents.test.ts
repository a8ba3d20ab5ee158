// The snippets of docs/WEBHOOKS.md accept what we sign and refuse what was changed, and bodies stay short whatever names there are.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { webhookEvents } from '../../src/core/people/webhook-events.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { deliveryOf, isSealed } from '../../src/webhooks/event-body.ts'
import { signatureHeaders } from '../../src/webhooks/signature.ts'

const run = promisify(execFile)
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = '{"type":"agreed","data":{"subject":"Größe"}}'

/** The code of the first block of a language. */
async function snippet(language: string): Promise<string> {
  const text = await readFile(new URL('../../docs/WEBHOOKS.md', import.meta.url), 'utf8')
  return text.split(`\`\`\`${language}\n`)[1]!.split('```')[0]!
}

const calls = {
  js: `
const { secret, headers, body } = JSON.parse(process.env.MESSAGE)
console.log(verify(secret, headers, body).type)
let refused = 0
for (const other of [{ ...headers, 'webhook-timestamp': '1' }, { ...headers, 'webhook-id': 'chg_2' }])
  try { verify(secret, other, body) } catch { refused++ }
try { verify(secret, headers, body + ' ') } catch { refused++ }
console.log(refused)`,
  python: `
import os
message = json.loads(os.environ["MESSAGE"])
secret, headers, body = message["secret"], message["headers"], message["body"].encode()
print(verify(secret, headers, body)["type"])
refused = 0
for given, text in [({**headers, "webhook-timestamp": "1"}, body), ({**headers, "webhook-id": "chg_2"}, body), (headers, body + b" ")]:
    try:
        verify(secret, given, text)
    except ValueError:
        refused += 1
print(refused)`,
}

test.each([
  ['js', process.execPath, 'verify.mjs'],
  ['python', 'python3', 'verify.py'],
] as const)(
  'the snippet for %s verifies what is sent, also during a rotation, and refuses what was changed',
  async (language, program, file) => {
    const folder = await mkdtemp(join(tmpdir(), 'assize-snippet-'))
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = signatureHeaders([other, secret], { id: 'chg_1', timestamp, body })
    try {
      await writeFile(join(folder, file), `${await snippet(language)}${calls[language]}\n`)
      const env = { ...process.env, MESSAGE: JSON.stringify({ secret, headers, body }) }
      const { stdout } = await run(program, [join(folder, file)], { env })
      expect(stdout.trim().split(/\s+/)).toEqual(['agreed', '3'])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

test('a body is under 2 kB for every event, however long names are, and is bound to its webhook', () => {
  const ground = {
    workspace: 'w'.repeat(63),
    workspaceId: 'wsp_1',
    publicUrl: 'https://prices.example',
    ring: KeyRing.of(['a secret']),
  }
  const periods = Array.from({ length: 40 }, (_, i) => `${2000 + i}-Q1`)
  for (const type of webhookEvents)
    for (const subject of ['pam_1', 'ü'.repeat(200), `${'😀'.repeat(400)}/${'"'.repeat(400)}`]) {
      const event = { id: 'chg_1', type, at: '2026-01-01T00:00:00.000000Z', subject, agreement: 'a'.repeat(63) }
      const delivery = deliveryOf(ground, { ...event, periods, cursor: 'c'.repeat(260) })
      expect(Buffer.byteLength(delivery.body)).toBeLessThan(2_048)
      expect(JSON.parse(delivery.body)).toMatchObject({ type, data: { cursor: 'c'.repeat(260) } })
      const seal = delivery.sealFor('whk_1')
      expect([
        isSealed(ground, 'whk_1', { ...delivery, seal }),
        isSealed(ground, 'whk_2', { ...delivery, seal }),
      ]).toEqual([true, false])
    }
})
