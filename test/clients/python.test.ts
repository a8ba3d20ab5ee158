// The Python client: its files follow from the descriptions, its own tests pass in every Python that is promised, and a stranger
// who installs the package keeps its agreements in step with the script of the docs.
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generatedFiles } from '../../clients/python/build/generated-files.ts'
import { walkRoughRoad } from '../faults/client-walks.ts'
import { syncByChanges } from '../faults/delta-sync.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import { pythonFolder, pythons, runPython } from '../support/clients/python.ts'
import { PythonClient } from '../support/clients/python-client.ts'
import { house } from '../support/houses/house.ts'
import { withMoney } from '../support/houses/priced-tenant.ts'
import { roundsOf } from '../support/run/long-form.ts'

const source = (path: string) => readFileSync(join(pythonFolder, path), 'utf8')

test('what is committed is what the descriptions say; `npm run client:python` writes it again', () => {
  for (const [name, text] of Object.entries(generatedFiles())) expect(source(join('assize', name)), name).toBe(text)
})

test('the page about clients shows the example as it is, in 20 lines', () => {
  const example = source('examples/sync.py')
  expect(source('../../docs/CLIENTS.md')).toContain(`\`\`\`python\n${example}\`\`\`\n`)
  const lines = example.split('\n').filter(line => line !== '' && !line.startsWith('"""'))
  expect(lines.length).toBeLessThanOrEqual(20)
})

test('the client has the version of the program, and its verifier is the one of the project', () => {
  const { version } = JSON.parse(source('../../package.json')) as { version: string }
  expect(source('assize/version.py')).toContain(`VERSION = "${version}"`)
  expect(source('assize/_verifier.py')).toBe(source('../../verifier/assize_verify.py'))
})

test.each(pythons)('%s: the tests of the client pass, without a warning', async python => {
  await runPython(['-W', 'error', 'tests/test_client.py'], { python })
})

const agreement = `slug: steel-brackets
name: Steel brackets
status: ACTIVE
contract:
  start: 2025-07-01
  frequency: QUARTERLY
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel: { series: BLS/WPU101, weight: 1, base: 2023-12, lag: 1 month, missing: LAST_KNOWN }
clause: { fixed: 0, rounding: { percent: { dp: 2 } } }
parties: { supplier: [sam@supplier.test] }
`
/** Pages of lists are walked over a rough road. */
const agreements = roundsOf('installing', 'agreements that a stranger’s project syncs in Python', 40, 500)

describe.skipIf(pythons.length === 0)('against the server', () => {
  const { api, tenant } = house()
  let folder: string
  let key: string
  /** The address is another one after a restart. */
  const env = () => ({ ASSIZE_URL: api.address, ASSIZE_KEY: key })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assize-python-'))
    await tenant.importValues('BLS/WPU101', { '2023-12': '100.0', '2024-03': '106.71', '2025-09': '110.50' })
    const { id } = await tenant.apply(agreement)
    await tenant.signBoth('steel-brackets', '2025-Q4')
    await copyAgreement(api.owner, tenant.id, id, agreements - 1)
    // The copies are no entries: a server that has read the list already would not see them.
    await api.restart()
    key = (await withMoney(tenant)).key
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(pythons)('%s: a stranger installs the package offline and keeps its agreements in step', async python => {
    const place = join(folder, python)
    await runPython(['backend.py', join(place, 'dist')], { python })
    await runPython(['-m', 'venv', '--without-pip', join(place, 'own')], { python })
    const own = join(place, 'own', 'bin', 'python')
    const words = ['--python', own, 'install', '--quiet', '--no-index', '--no-build-isolation']
    // The archive of sources is built once more on the way, by what is in it.
    await runPython(['-m', 'pip', ...words, join(place, 'dist', 'assize-0.1.0.tar.gz')], { python, cwd: place })
    const sync = async () => {
      const script = join(pythonFolder, 'examples', 'sync.py')
      return runPython([script, 'copy.db'], { python: own, cwd: place, env: { ...env(), PYTHONPATH: '' } })
    }
    expect(await sync()).toBe(`${agreements} agreements, ${agreements} changed\n`)
    expect(await sync()).toBe(`${agreements} agreements, 0 changed\n`)
    await tenant.apply(agreement.replace('name: Steel brackets', `name: Brackets, for ${python}`))
    expect(await sync()).toBe(`${agreements} agreements, 1 changed\n`)
    const rows = `import sqlite3; print(*sqlite3.connect("copy.db").execute(
      "select count(*), min(price), max(price), max(currency) from price").fetchone())`
    expect(await runPython(['-c', rows], { python: own, cwd: place })).toBe(`${agreements} 12.40 13.70 EUR\n`)
  })

  test('over a rough road series come once each and nothing is asked too often; a copy by /changes equals a walk', async () => {
    const python = new PythonClient()
    try {
      const walked = await walkRoughRoad(
        api,
        { series: roundsOf('installing', 'series that the Python client walks over a rough road', 60, 300), seed: 61 },
        python.walk,
      )
      expect(walked.failures).toEqual([])
      expect(walked.answered).toEqual({ 200: expect.any(Number) })
      const { failures, bumps } = await syncByChanges(api, { rounds: 2, seed: 24 }, python.keep)
      expect(failures).toEqual([])
      expect(bumps).toBeGreaterThan(10)
    } finally {
      await python.close()
    }
  })

  test('every block of its README runs, with what it leaves out', async () => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const body = JSON.stringify({ type: 'agreed', timestamp: '2026-01-01T00:00:00Z', data: { subject: 'pam_1' } })
    const at = new Date()
    const signature = new Webhook(secret).sign('chg_1', at, body)
    const headers = {
      'Webhook-Id': 'chg_1',
      'Webhook-Timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'Webhook-Signature': `v1,${createHmac('sha256', 'another').update('x').digest('base64')} v1a,aaaa ${signature}`,
    }
    const { keys } = JSON.parse((await api.ask('/.well-known/assize-keys.json')).text) as {
      keys: { publicKey: string }[]
    }
    const blocks = [...(await readFile(join(pythonFolder, 'README.md'), 'utf8')).matchAll(/```python\n([\s\S]*?)```/g)]
    expect(blocks).toHaveLength(4)
    const script = [
      `import json\ncursor = None\nbody = ${JSON.stringify(body)}\nheaders = json.loads(${JSON.stringify(JSON.stringify(headers))})`,
      ...blocks.map(([, text]) => text!),
      'from decimal import Decimal',
      'print(number["adjustmentPct"], values[0]["value"], copy["changed"], delivery.id, delivery.event["type"])',
      'assert type(number["adjustmentPct"]) is Decimal and type(values[0]["value"]) is Decimal',
    ]
    const text = script
      .join('\n')
      .replace('follow(from_=cursor)', 'follow(from_=cursor, wait=0)')
      .replace('ed25519:…', `ed25519:${keys[0]!.publicKey}`)
      .replace('whsec_…', secret)
    const printed = (await runPython(['-c', text], { env: env() })).trimEnd().split('\n')
    expect(printed.slice(0, 2)).toEqual(['copy-00001 2026-Q4 OPEN 13.70 EUR', 'copy-00002 2026-Q4 OPEN 13.70 EUR'])
    expect(printed.slice(-2)).toEqual(['True', '10.5 100.0 [] chg_1 agreed'])
  })

  test('it checks what comes: a receipt that was changed, a delivery that is old, of another secret or changed', async () => {
    const text = `
import assize, base64, hashlib, hmac, json
client = assize.Assize()
receipt = client.receipts.get("steel-brackets", period="2025-Q4")
print(assize.verify_receipt(receipt).is_good, client.receipts.verify(receipt.replace("110.50", "110.60")).problems[:1])
print(assize.verify_receipt(b"{").problems, assize.verify_receipt(receipt, trust="ed25519:" + "A" * 43).is_good)
secret = "whsec_" + base64.b64encode(b"k" * 24).decode()
def sign(body, at, key=b"k" * 24):
    signature = base64.b64encode(hmac.new(key, b"m.%d." % at + body, hashlib.sha256).digest()).decode()
    return {"webhook-id": "m", "webhook-timestamp": str(at), "webhook-signature": "v1," + signature}
good = sign(b"{}", 1000)
print(assize.verify_webhook(b"{}", good, [secret, "whsec_AAAA"], now=1000 + 300).id)
for body, headers in [(b"{}", sign(b"{}", 699)), (b"{}", sign(b"{}", 1301)), (b"{}", sign(b"{}", 1000, b"x")), (b"{ }", good),
                      (b"{", sign(b"{", 1000)), (b"{}", {}), (b"{}", {**good, "webhook-timestamp": "1e3"})]:
    try:
        print(assize.verify_webhook(body, headers, secret, now=1000))
    except assize.WebhookRefused as why:
        print(why)
try:
    client.agreements.get("no-such")
except assize.NotFound as why:
    print(why.status, why.request_id is not None)
print(len(client.request("/ext/v1/series", accept="text/csv").splitlines()))
`
    expect((await runPython(['-c', text], { env: env() })).trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^True \['.+'\]$/),
      expect.stringMatching(/^\['assize: the receipt cannot be read.*'\] False$/),
      'm',
      'webhook-timestamp is too old: it may be a repetition',
      'webhook-timestamp is in the future: it may be a repetition',
      'no signature fits the secret',
      'no signature fits the secret',
      'the body is not JSON',
      'webhook-id, webhook-timestamp and webhook-signature are needed',
      'webhook-timestamp is not a number of seconds',
      '404 True',
      '2',
    ])
  })
})
