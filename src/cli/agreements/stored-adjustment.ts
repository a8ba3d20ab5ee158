// One adjustment of a stored agreement under the options that `adjustment` and `receipt` share.

import type { Formula } from '../../core/formula/formula.ts'
import { Refusal } from '../../core/refusal.ts'
import { versionTags } from '../../core/series/series.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, parseCut } from '../../core/time/instant.ts'
import { parsePeriod } from '../../core/time/period.ts'
import type { AdjustmentRequest, PeriodEntry } from '../../read/agreements/adjustments.ts'
import { scopesOf, settle } from '../../storage/log/append.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { currentInstant, today } from '../frame/clock.ts'
import { type Invocation, Misuse, type OptionSpec, textOption } from '../frame/command.ts'
import { workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'

export const adjustmentOptions: Readonly<Record<string, OptionSpec>> = {
  workspace: workspaceSpec,
  period: { type: 'string', value: 'P', help: 'this period; default: the newest that can be computed' },
  date: { type: 'string', value: 'D', help: 'the period that is in force on this day, such as 2024-05-17' },
  'as-of': { type: 'string', value: 'D', help: 'only from data published by this day or instant, ignoring sign-offs' },
  'known-at': { type: 'string', value: 'T', help: 'the answer of this day or instant' },
  version: { type: 'string', value: 'V', help: 'from values tagged PRELIMINARY, FINAL or REVISED only' },
}

interface FoundAdjustment {
  readonly entry: PeriodEntry
  readonly formula: Formula
  readonly slug: string
  readonly request: AdjustmentRequest
  /** Id of a series; null for one that the workspace no longer sees. */
  readonly seriesIdOf: (reference: string) => string | null
}

export async function findAdjustment(installation: Installation, invocation: Invocation): Promise<FoundAdjustment> {
  const workspace = await workspaceOption(installation, invocation)
  const request = readRequest(invocation)
  const period = textOption(invocation, 'period')
  if (period !== null && parsePeriod(period) === null)
    throw new Misuse(`--period must be a label such as 2024-Q2, 2024-03, 2024-H1 or 2024, got "${period}"`)
  const date = readDate(textOption(invocation, 'date'))
  if (period !== null && date !== null) throw new Misuse('--period and --date cannot be used together')
  if (request.knownAt !== null)
    for (const scope of scopesOf(workspace.id)) await settle(installation.sql, scope, request.knownAt)
  const library = openLibrary(installation, invocation)
  const name = invocation.positionals[0]!
  const index = await library.index(workspace.id, { agreements: [name] })
  const id = index.agreementId(name)
  const cached = id === undefined ? null : await library.agreement(workspace.id, id)
  const adjustments = cached === null ? null : await library.adjustments(workspace.id, cached, request)
  if (cached === null || adjustments === null)
    throw new Refusal('not-found', `there is no agreement "${name}" in ${workspace.slug}`)
  const entry = adjustments.find(period, date)
  const version = cached.snapshot.versions.find(each => each.number === entry.calculation.formulaVersion)!
  const state = cached.snapshot.at(request.knownAt)!.state
  const seriesIdOf = (reference: string) => index.findByReference(reference)?.id ?? null
  return { entry, formula: { ...version.formula, name: state.name }, slug: cached.snapshot.slug, request, seriesIdOf }
}

function readDate(text: string | null): Day | null {
  const date = text === null ? null : parseDay(text)
  if (text !== null && date === null) throw new Misuse(`--date must be a day such as 2024-05-17, got "${text}"`)
  return date
}

function readRequest(invocation: Invocation): AdjustmentRequest {
  const asOf = readCut(invocation, 'as-of')
  const knownAt = readCut(invocation, 'known-at')
  if (knownAt !== null && knownAt > currentInstant())
    throw new Misuse('--known-at must be an instant that is past or a day that is over in UTC')
  const text = textOption(invocation, 'version')
  const version = text === null ? null : (versionTags.find(tag => tag === text) ?? refuseVersion(text))
  const days = [today(), ...[asOf, knownAt].filter(cut => cut !== null).map(dayOfInstant)]
  return { asOf, knownAt, version, until: Math.min(...days) }
}

function refuseVersion(text: string): never {
  throw new Misuse(`--version must be ${versionTags.join(', ')}, got "${text}"`)
}

function readCut(invocation: Invocation, name: string): Instant | null {
  const text = textOption(invocation, name)
  if (text === null) return null
  const cut = parseCut(text)
  if (cut === null) throw new Misuse(`--${name} must be a day such as 2024-01-31 or an instant, got "${text}"`)
  return cut
}
