// The page Proof over a real log that a real witness signs: who is asked, and what each has signed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openPublicLog } from '../../src/agreements/installation-log.ts'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { anchorOnce } from '../../src/proof/anchors.ts'
import { openAsk } from '../../src/proof/bounded-request.ts'
import type { ProofPage } from '../../src/views/shapes/signatures.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { openConsole } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { startPlainWitness } from '../support/proof/plain-witness.ts'

const folder = await mkdtemp(join(tmpdir(), 'assize-proof-'))
const witnessesFile = join(folder, 'policy')
const console = ownHouse(() => openConsole({ env: { ASSIZE_WITNESSES: witnessesFile } }))
afterAll(() => rm(folder, { recursive: true }))

test('a witness is listed once, with what it signed, whatever the policy calls it and whether it is asked or not', async () => {
  const { api, as, tenant } = console
  await tenant.import(bracketsTable)
  await tenant.apply(bracketsDocument())
  await tenant.signBoth('brackets', '2024-Q2')
  const settings = { logName: null, dataFolder: folder }
  const publicLog = openPublicLog(api, settings, () => {})
  const watched = { vkey: publicLog.keys.vkeyOf(publicLog.name) }
  const { vkey: key, url: address, stop } = await startPlainWitness(watched, 'honest.example/w')
  const away = await startPlainWitness(watched, 'away.example/w')
  await away.stop()
  const awayKey = away.vkey
  const asks = (...lines: string[]) => writeFile(witnessesFile, [...lines, 'quorum none', ''].join('\n'))
  const open = () => as.viewer.json<ProofPage>('/proof')
  const read = async () => (await open()).witnesses

  await asks(`witness honest ${key} ${address}`, `witness absent ${awayKey} http://127.0.0.1:1`)
  expect(await read()).toEqual([
    { name: 'honest', key, last: null },
    { name: 'absent', key: awayKey, last: null },
  ])
  const unheard = () => {}
  await anchorOnce({
    sql: api.sql,
    publicLog,
    witnessesFile,
    timeAuthority: null,
    ask: openAsk('assize tests', new AbortController().signal),
    log: { info: unheard, warn: unheard, error: unheard },
    now: () => instantOfMicros(Date.now() * 1000),
  })
  await stop()
  const last = { size: (await open()).checkpoint!.size, at: expect.any(String) }
  expect(await read()).toEqual([
    { name: 'honest', key, last },
    { name: 'absent', key: awayKey, last: null },
  ])

  await asks(`witness another-name ${key} ${address}`)
  expect(await read()).toEqual([{ name: 'another-name', key, last }])
  await asks()
  expect(await read()).toEqual([{ name: expect.stringMatching(/^honest\.example\/w\+[0-9a-f]+$/), key: null, last }])
})
