// `index-event`, `splice suspects` and `splice candidates`: what is known, what is suspected, and what might take its place.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedSuspect } from '../../src/read/index-suspects.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { openTrueUpHouse, type TrueUpHouse, trueUpDocument } from '../support/houses/true-up-house.ts'

let ground: TrueUpHouse

/** Two years of months that stop, and a sibling at half their level. */
const figures = (code: string, share: number) =>
  Array.from({ length: 24 }, (_, i) => {
    const period = `${2022 + Math.floor(i / 12)}-${`${(i % 12) + 1}`.padStart(2, '0')}`
    return `CUSTOM/${code},${period},${(share * (1000 + 10 * (i % 5))) / 10},FINAL,2024-01-15`
  }).join('\n')

beforeAll(async () => {
  ground = await openTrueUpHouse({}, await openCommandHouse('apart'))
  const header = 'series,period,value,version,published'
  await ground.importFigures(`${header}\n${figures('alloy/old/DE', 1)}\n${figures('alloy/new/DE', 0.5)}\n`)
  await ground.apply(
    trueUpDocument({ slug: 'alloys', corrections: null }).replaceAll('CUSTOM/metal', 'CUSTOM/alloy/old/DE'),
  )
})
afterAll(() => ground.house.close())

test('a series that has been silent for long is suspected to have ended, with the agreements that read it', async () => {
  const suspects = await ground.json<ListedSuspect[]>('splice', 'suspects', '--series', 'CUSTOM/alloy/old/DE')
  expect(suspects).toMatchObject([{ series: 'CUSTOM/alloy/old/DE', kind: 'ENDED', pams: ['alloys'], events: [] }])
  const { out } = await ground.run('splice', 'suspects')
  expect(out).toContain('CUSTOM/alloy/old/DE: ENDED. It seems to have ended with 2023-12.\n  no period after 2023-12')
  expect(out).toContain('  read by alloys\n')
})

test('a sibling is a candidate, with how closely it follows', async () => {
  const { candidates } = await ground.json<{ candidates: unknown[] }>('splice', 'candidates', 'CUSTOM/alloy/old/DE')
  expect(candidates).toMatchObject([
    {
      series: 'CUSTOM/alloy/new/DE',
      why: 'a series with a neighbouring code',
      common: '2023-01..2023-12',
      spreadPct: '0.0000',
      correlation: '1.0000',
      differencePct: '0.0000',
    },
  ])
})

test('an operator adds an event, corrects it by the same id, and finds it again', async () => {
  const { house } = ground
  const add = (...words: string[]) =>
    house.run([
      'index-event',
      'add',
      'own-ended',
      '--kind',
      'ENDED',
      '--day',
      '2026-01-01',
      '--source',
      'The office',
      ...words,
    ])
  expect((await add('--sentence', 'It ended.')).out).toBe('own-ended: added\n')
  const printed = ['--sentence', 'It ended.', '--coefficient', '1.0820', '--direction', 'NEW_TO_OLD']
  expect((await add(...printed)).out).toBe('own-ended: corrected\n')
  expect((await add(...printed)).out).toBe('own-ended: unchanged\n')
  expect((await house.run(['index-event', 'list'])).out).toContain(
    '2026-01-01 ENDED an index of no provider (own-ended)\n  It ended.\n  coefficient: 1.0820, NEW_TO_OLD\n  source: The office\n',
  )
  expect((await add('--sentence', 'x', '--coefficient', '1,08', '--direction', 'NEW_TO_OLD')).err).toContain(
    'as it is printed',
  )
  expect((await add('--sentence', 'x', '--provider', 'BLS')).err).toContain('are given together')
})
