// `calendar`: announced releases of the providers of a workspace's series, by date.
import type { ReleaseStatus } from '../../core/calendar/release.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { findProvider } from '../../providers/catalogue/catalogue.ts'
import { listReleases, type ReleaseRow } from '../../read/release-list.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { today } from '../frame/clock.ts'
import { type Invocation, Misuse, textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

const { releaseDays, releaseDaysUsual } = limits.ext

export const calendarCommand = preparedCommand({
  name: 'calendar',
  usage: '--workspace W [--series C | --pam S] [--from D --to D] [--provider P] [--all]',
  summary: 'Lists the announced releases of the providers of a workspace’s series, by date.',
  options: {
    series: { type: 'string', value: 'C', help: 'only releases with this series, as PROVIDER/code' },
    pam: { type: 'string', value: 'S', help: 'only releases that this agreement reads, by its slug' },
    from: { type: 'string', value: 'D', help: 'the first day, in UTC; today by default' },
    to: { type: 'string', value: 'D', help: `the last day; ${releaseDaysUsual} days after the first by default` },
    provider: { type: 'string', value: 'P', help: 'only this provider' },
    all: { type: 'boolean', help: 'also releases without a series of the workspace' },
  },
  prepare: invocation => {
    const [series, agreement, provider] = ['series', 'pam', 'provider'].map(name => textOption(invocation, name))
    const isWhole = invocation.options.all === true
    if (series !== null && agreement !== null) throw new Misuse('--series and --pam cannot both be given')
    if (isWhole && (series !== null || agreement !== null)) throw new Misuse('--all goes without --series and --pam')
    return {
      series,
      agreement,
      provider: provider == null ? null : findProvider(provider).name,
      isWhole,
      ...span(invocation),
    }
  },
  async work({ invocation, installation, workspace }, { series, agreement, ...rest }) {
    const library = openLibrary(installation, invocation)
    const index = await library.index(workspace.id)
    const own = series == null ? null : index.findByReference(series)
    if (own === undefined) throw new Refusal('not-found', `${workspace.slug} has no series "${series}"`)
    const agreementId = agreement == null ? null : index.agreementId(agreement)
    if (agreementId === undefined) throw new Refusal('not-found', `there is no agreement "${agreement}"`)
    const listed = await listReleases(library, workspace.id, {
      ...rest,
      series: own === null ? null : [own],
      agreementIds: agreementId === null ? null : new Set([agreementId]),
    })
    const rows = listed.map(({ row }) => row)
    return {
      json: rows,
      words: rows.length === 0 ? 'nothing is announced for these days\n' : alignRows(rows.map(cellsOf), [], ''),
    }
  },
})

function span(invocation: Invocation): { readonly from: Day; readonly to: Day } {
  const from = dayOption(invocation, 'from') ?? today()
  const to = dayOption(invocation, 'to') ?? from + releaseDaysUsual
  if (from > to) throw new Misuse('--from must not lie after --to')
  if (to - from > releaseDays) throw new Misuse(`--from and --to must lie at most ${releaseDays} days apart`)
  return { from, to }
}

function dayOption(invocation: Invocation, name: 'from' | 'to'): Day | null {
  const text = textOption(invocation, name)
  const day = text === null ? null : parseDay(text)
  if (text !== null && day === null) throw new Misuse(`--${name} must be a day as YYYY-MM-DD, got "${text}"`)
  return day
}

const statusWords: Readonly<Record<ReleaseStatus, string>> = {
  OFFICIAL: 'official',
  DATE_ONLY: 'official day',
  CANCELLED: 'cancelled',
  POSTPONED: 'date open again',
}

function cellsOf(row: ReleaseRow): readonly string[] {
  const { provider, release, title, period, number, at, zone, status, moves, series, pams } = row
  const isDay = at.length === 10
  const moved = moves === 0 ? '' : moves === 1 ? ', moved once' : `, moved ${moves} times`
  const revision = number === null || number === 1 ? '' : ` (revision ${number - 1})`
  return [
    at.slice(0, 10),
    isDay ? '' : `${at.slice(11, 16)} UTC`,
    isDay ? zone : `${localTime(at, zone)} ${zone}`,
    `${provider}/${release}`,
    `${period ?? '–'}${revision}`,
    title,
    `${statusWords[status]}${moved}`,
    pams.length > 0 ? few(pams) : few(series),
  ]
}

/** Time by the provider's clocks; with its day where that is another one. */
function localTime(at: Instant, zone: string): string {
  const shown = new Date(at).toLocaleString('sv-SE', { timeZone: zone })
  return shown.startsWith(at.slice(0, 10)) ? shown.slice(11, 16) : shown.slice(0, 16)
}

/** A few names, and how many more there are. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
