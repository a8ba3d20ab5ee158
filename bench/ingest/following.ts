// Following 500 series in its own process, against a stand-in in another, on a running embedded database: how
// long it takes, and the peak memory of the process that ingests.
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ProviderName } from '../../src/core/series/series.ts'
import type { Frequency } from '../../src/core/time/period.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { type IllustratedSeries, StandInProcess } from '../../test/stand-in/process.ts'

interface Following {
  readonly name: string
  readonly series: readonly IllustratedSeries[]
}

const count = 500

function numbered(length: number, codeOf: (at: string) => string): readonly string[] {
  return Array.from({ length }, (_, at) => codeOf(String(at).padStart(4, '0')))
}

/** Codes as each provider writes them, with a number in them. */
const codesOf: Readonly<Partial<Record<ProviderName, (at: string) => string>>> = {
  BLS: at => `WPU9${at}`,
  FRED: at => `SERIES${at}`,
  ECB: at => `EXR/D.X${at}.EUR.SP00.A`,
  EUROSTAT: at => `prc_hicp_minr/M.I25.CP${at}.DE`,
  OECD: at => `OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/A${at}.M.N.CPI.IX._T.N._Z`,
  ABS: at => `CPI,2.0.0/1.${at}.10.50.Q`,
  BIS: at => `WS_EER/D.N.B.A${at}`,
  IMF: at => `IMF.RES,PCPS/G001.P${at}.USD.M`,
  BOJ: at => `FM08/FXERD${at}`,
  DBNOMICS: at => `ECB/EXR/D.X${at}.EUR.SP00.A`,
}

function illustrated(
  provider: ProviderName,
  frequency: Frequency,
  length: number,
  firstDay?: string,
): IllustratedSeries {
  const codes = numbered(length, codesOf[provider]!)
  return { provider, codes, frequency, unit: 'Index', ...(firstDay === undefined ? {} : { firstDay }) }
}

const mixed = ['BLS', 'FRED', 'ECB', 'EUROSTAT', 'OECD', 'ABS', 'BIS', 'IMF', 'BOJ', 'DBNOMICS'] as const
const usual: Readonly<Record<(typeof mixed)[number], Frequency>> = {
  BLS: 'MONTHLY',
  FRED: 'MONTHLY',
  ECB: 'DAILY',
  EUROSTAT: 'MONTHLY',
  OECD: 'MONTHLY',
  ABS: 'QUARTERLY',
  BIS: 'DAILY',
  IMF: 'MONTHLY',
  BOJ: 'DAILY',
  DBNOMICS: 'DAILY',
}

export const followings: readonly Following[] = [
  { name: '500 of BLS, 11 years of months', series: [illustrated('BLS', 'MONTHLY', count)] },
  {
    name: '50 of each of ten providers, usual lengths',
    series: mixed.map(provider => illustrated(provider, usual[provider], count / mixed.length)),
  },
  {
    name: '50 of each of ten providers, since 1975',
    series: mixed.map(provider => illustrated(provider, usual[provider], count / mixed.length, '1975-01-01')),
  },
]

interface FollowingMeasure {
  readonly seconds: number
  readonly vintages: number
  readonly peakMb: number
}

const program = fileURLToPath(new URL('./following-process.ts', import.meta.url))

export async function measureFollowing({ series }: Following, folder: string): Promise<FollowingMeasure> {
  const standIn = await StandInProcess.start({ at: '2026-11-10', many: series })
  const installation = await Installation.open({ dataFolder: folder, databaseUrl: null, secrets: null })
  try {
    const { id: workspaceId } = await createWorkspace(installation.owner, { slug: 'bench' })
    const references = series.flatMap(({ provider, codes }) => codes.map(code => `${provider}/${code}`))
    const env = { PATH: process.env.PATH, ...standIn.environment, ASSIZE_DATA: folder }
    const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify({ workspaceId, references }))
    const { seconds, peakMb } = (await json(child.stdout)) as Omit<FollowingMeasure, 'vintages'>
    const [row] = await installation.owner<{ count: number }[]>`select count(*) from vintage`
    return { seconds, peakMb, vintages: row!.count }
  } finally {
    await installation.close()
    await standIn.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
