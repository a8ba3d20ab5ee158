// The stand-in's own endpoints, for control over HTTP: `GET /stand-in` shows what there is, `POST /stand-in/…` moves the
// clock, publishes figures and switches misbehaviour on.
import { releaseStatuses } from '../../src/core/calendar/release.ts'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { type Told, tellJson } from './exchange.ts'
import { isMisbehaviour, misbehaviours } from './misbehaviour.ts'
import { instant, publish, type Stage, stages } from './model.ts'
import type { StandIn } from './stand-in.ts'

type Fields = Readonly<Record<string, unknown>>

export function control(standIn: StandIn, method: string, path: string, body: string): Told {
  if (method === 'GET') return tellJson(describe(standIn))
  const act = acts[path.replace(/^\/stand-in\//, '')]
  if (act === undefined) return tellJson({ error: `POST /stand-in/ ${Object.keys(acts).join(', ')}` }, 404)
  try {
    act(standIn, body === '' ? {} : (JSON.parse(body) as Fields))
    return tellJson({ now: standIn.now })
  } catch (error) {
    return tellJson({ error: error instanceof Error ? error.message : String(error) }, 400)
  }
}

function describe(standIn: StandIn): unknown {
  return {
    now: standIn.now,
    environment: standIn.environment,
    series: Object.fromEntries(providerNames.map(name => [name, standIn.seriesOf(name).map(({ code }) => code)])),
    misbehaviours,
    releases: Object.fromEntries(providerNames.map(name => [name, standIn.releasesOf(name).length])),
    trapped: standIn.trapped,
    post: {
      '/stand-in/at': { moment: '2024-04-10' },
      '/stand-in/run': { moment: '2024-04-10', speed: 86_400 },
      '/stand-in/misbehave': { provider: 'BLS', kind: 'html-200', times: 3 },
      '/stand-in/behave': { provider: 'BLS' },
      '/stand-in/limit': { provider: 'BLS', requests: 10, perSeconds: 60 },
      '/stand-in/announce': { provider: 'BLS', id: 'CPI-2026-11', day: '2026-12-16', status: 'OFFICIAL' },
      '/stand-in/publish': { provider: 'BLS', code: 'CUUR0000SA0', period: '2026-11', value: '334.1', stage: 'FINAL' },
    },
  }
}

const acts: Readonly<Record<string, (standIn: StandIn, fields: Fields) => void>> = {
  at: (standIn, fields) => standIn.at(text(fields, 'moment')),
  run: (standIn, fields) => standIn.run(text(fields, 'moment'), number(fields, 'speed')),
  misbehave: (standIn, fields) => {
    const kind = text(fields, 'kind')
    if (!isMisbehaviour(kind)) throw new Error(`there is no misbehaviour "${kind}"`)
    standIn.misbehave(provider(fields), kind, fields.times === undefined ? undefined : number(fields, 'times'))
  },
  behave: (standIn, fields) => standIn.behave(fields.provider === undefined ? undefined : provider(fields)),
  limit: (standIn, fields) => {
    const limit = { requests: number(fields, 'requests'), perSeconds: number(fields, 'perSeconds') }
    standIn.limit(provider(fields), limit)
  },
  announce: (standIn, fields) => {
    const [name, id] = [provider(fields), text(fields, 'id')]
    const entry = standIn.releasesOf(name).find(each => each.id === id)
    if (entry === undefined) throw new Error(`the calendar of ${name} has no "${id}"`)
    const status = releaseStatuses.find(each => each === fields.status) ?? entry.status
    standIn.announce({ ...entry, day: fields.day === undefined ? entry.day : text(fields, 'day'), status })
  },
  publish: (standIn, fields) => {
    const value = fields.value === null ? null : text(fields, 'value')
    const at = fields.publishedAt === undefined ? standIn.now : instant(text(fields, 'publishedAt'))
    standIn.publish(provider(fields), text(fields, 'code'), publish(text(fields, 'period'), value, at, stage(fields)))
  },
}

function text(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new Error(`${name} must be a string`)
  return value
}

function number(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number') throw new Error(`${name} must be a number`)
  return value
}

function provider(fields: Fields): ProviderName {
  const name = text(fields, 'provider')
  const found = providerNames.find(each => each === name)
  if (found === undefined) throw new Error(`provider must be one of ${providerNames.join(' ')}`)
  return found
}

function stage(fields: Fields): Stage | undefined {
  if (fields.stage === undefined) return undefined
  const found = stages.find(each => each === fields.stage)
  if (found === undefined) throw new Error(`stage must be one of ${stages.join(' ')}`)
  return found
}
