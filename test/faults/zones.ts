// F8: the same requests to servers set to New York, Berlin or Kiritimati time, over data around the clock changes and 29
// February. Every answer has the same bytes as in UTC, and so has what is imported there.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { openApi, type Tenant } from '../support/houses/api.ts'
import { fillSample } from '../support/houses/sample.ts'
import type { FolderGround } from './grounds.ts'
import { runCommand, serveFolder } from './served-process.ts'

export const zones = [
  'Pacific/Kiritimati',
  'America/New_York',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
] as const

/** The nights and mornings on which the clocks of those zones change, leap days, and the ends of a year. */
const nights = [
  '2024-02-28',
  '2024-02-29',
  '2024-03-01',
  '2024-03-10',
  '2024-03-31',
  '2024-10-27',
  '2024-11-03',
  '2024-12-31',
  '2025-01-01',
  '2025-02-28',
  '2025-03-01',
  '2023-12-31',
]

const nightTable = `series,period,value,published\n${nights
  .flatMap((day, i) => [
    `CUSTOM/nights,${day},${i}.50,${day}`,
    `CUSTOM/nights,${day},${i}.75,${day}T23:59:59.999999Z`,
    `CUSTOM/nights,${day},${i}.60,${day}T01:30:00+01:00`,
  ])
  .join('\n')}\n`

const monthEnds = `slug: month-ends
status: ACTIVE
contract: { start: 2024-01-31, end: 2025-03-31, frequency: MONTHLY, price: { amount: 100, currency: EUR, round: { dp: 2 } } }
inputs: { night: { series: CUSTOM/nights, weight: 1, base: { value: 7 }, window: 1 month, missing: LAST_KNOWN } }
clause: {}
parties: { supplier: [sam@supplier.test] }`

interface Golden {
  readonly tenant: Tenant
  readonly paths: readonly string[]
  readonly answers: ReadonlyMap<string, string>
}

async function prepare(ground: FolderGround): Promise<Golden> {
  const api = await openApi({ ...ground, close: async () => {} }, { secret: ground.secret })
  const tenant = await api.tenant()
  await fillSample(tenant)
  await tenant.import(nightTable)
  await tenant.apply(monthEnds)
  await tenant.signBoth('month-ends', '2024-02')
  const id = await tenant.seriesId('CUSTOM/nights')
  const at = new Date().toISOString()
  const days = nights.flatMap(day => [day, `${day}T00:00:00Z`, `${day}T02:30:00%2B01:00`])
  const paths = [
    `/series/${id}/values`,
    `/series/${id}/values?view=summary`,
    `/series/${id}/vintages`,
    `/series/${id}/vintages?knownAt=${at}`,
    ...days.map(day => `/series/${id}/values?asOf=${day}`),
    ...nights.map(day => `/series/${id}/values?from=${day}&to=${day}&view=summary&asOf=${day}`),
    '/series',
    '/pams',
    '/pams/month-ends',
    '/pams/month-ends/values',
    '/pams/month-ends/adjustment',
    ...days.map(day => `/pams/month-ends/adjustment?asOf=${day}`),
    ...nights.map(day => `/pams/month-ends/adjustment?date=${day}&view=calculation`),
    ...nights.map(day => `/pams/month-ends/values?from=${day}&knownAt=${at}`),
    `/pams/month-ends/adjustment/receipt?knownAt=${at}`,
    '/pams/steel/adjustment?period=2024-Q2',
  ]
  const answers = new Map<string, string>()
  for (const path of paths) answers.set(path, (await tenant.get(path)).text)
  await api.close()
  return { tenant, paths, answers }
}

/** What a zone answers differently; nothing if everything is fine. */
export async function compareZones(
  ground: FolderGround,
  asked: readonly string[],
): Promise<{ answers: number; failures: string[] }> {
  const { tenant, paths, answers } = await prepare(ground)
  const failures: string[] = []
  const today = new Date().toISOString().slice(0, 10)
  for (const zone of asked) {
    const server = await serveFolder(ground.folder, { env: { TZ: zone, LOG_LEVEL: 'warn' } })
    try {
      for (const path of paths) {
        const { text } = await server.client.ask(`/v1${path}`, { headers: tenant.authorization })
        // Uncut answers say "today", and midnight in UTC may have passed since.
        if (new Date().toISOString().slice(0, 10) !== today) break
        if (text !== answers.get(path)) failures.push(`${zone} ${path}:\n${answers.get(path)}\n${text}`)
      }
      failures.push(...(await compareImport(ground, zone)))
    } finally {
      await server.stop()
    }
  }
  return { answers: paths.length * asked.length, failures }
}

/** A table imported by a command in that zone is published when it says. */
async function compareImport(ground: FolderGround, zone: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-zone-'))
  const workspace = `zone-${zone.toLowerCase().replace(/[^a-z]+/g, '-')}-${Math.random().toString(36).slice(2, 8)}`
  const file = join(folder, 'nights.csv')
  try {
    await writeFile(file, nightTable)
    await createWorkspace(ground.owner, { slug: workspace })
    await runCommand(ground.folder, ['import', file, '--workspace', workspace, '--json'], { TZ: zone })
    const [rows, expected] = await Promise.all([
      ground.owner<{ published: string; value: string }[]>`
        select v.published_at as published, v.value from vintage v join workspace w on w.id = v.owner
        where w.slug = ${workspace} order by v.period, v.published_at, v.value`,
      publishedInUtc(),
    ])
    const found = rows.map(({ published, value }) => `${published} ${value}`)
    return found.join('\n') === expected.join('\n') ? [] : [`import in ${zone}: ${found.join(', ')}`]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function publishedInUtc(): string[] {
  return nights
    .toSorted()
    .flatMap(day => {
      const i = nights.indexOf(day)
      return [
        [`${day}T00:00:00.000000Z`, `${i}.50`],
        [`${day}T00:30:00.000000Z`, `${i}.60`],
        [`${day}T23:59:59.999999Z`, `${i}.75`],
      ]
    })
    .map(([published, value]) => `${published} ${value}`)
}
