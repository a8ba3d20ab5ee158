// `series list`: the series of a workspace: its own and those it follows.
import { formatPeriod, periodOf } from '../../core/time/period.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { loadSeriesOverview, type SeriesOverview } from '../../storage/series/series-overview.ts'
import { loadStates, type SeriesState } from '../../storage/series/series-state.ts'
import { listWorkspaces, type Workspace } from '../../storage/workspaces/workspaces.ts'
import { alignOnPoint, alignRows } from '../frame/aligned-rows.ts'
import { type Command, type Invocation, printJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { countOf } from '../frame/progress.ts'

export const seriesListCommand: Command = {
  name: 'series list',
  usage: '[--workspace W]',
  summary: 'Lists the series of a workspace, or of all: periods, last value, last request and change, problems.',
  options: { workspace: workspaceSpec },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspaces =
        invocation.options.workspace === undefined
          ? await listWorkspaces(installation.owner)
          : [await workspaceOption(installation, invocation)]
      const lists: { workspace: Workspace; series: readonly ListedSeries[] }[] = []
      for (const workspace of workspaces) {
        // The operator's pool: counting millions of vintages may take longer than a request may.
        const series = await withWorkspace(installation.owner, workspace.id, async tx => {
          const states = await loadStates(tx, workspace.id)
          return (await loadSeriesOverview(tx, workspace.id)).map(one => ({
            ...one,
            state: states.get(one.id) ?? null,
          }))
        })
        lists.push({ workspace, series })
      }
      if (invocation.json)
        printJson(
          invocation,
          lists.flatMap(({ workspace, series }) => series.map(one => entry(workspace, one))),
        )
      else for (const { workspace, series } of lists) show(invocation, workspace, series)
      return 0
    }),
}

/** A series with the state of its provider; null for a workspace's own. */
interface ListedSeries extends SeriesOverview {
  readonly state: SeriesState | null
}

function periodText({ frequency }: SeriesOverview, ordinal: number | null): string | null {
  return ordinal === null ? null : formatPeriod(periodOf(frequency, ordinal))
}

function entry(workspace: Workspace, series: ListedSeries) {
  const { id, provider, code, name, unit, dataType, frequency, isFollowed, lastValue, vintages, state } = series
  return {
    workspace: workspace.slug,
    id,
    series: `${provider}/${code}`,
    name,
    unit,
    dataType,
    frequency,
    followed: isFollowed,
    firstPeriod: periodText(series, series.first),
    lastPeriod: periodText(series, series.last),
    lastValue,
    vintages,
    ...(isFollowed
      ? {
          lastAskedAt: state?.lastAskedAt ?? null,
          lastChangedAt: state?.lastChangedAt ?? null,
          trouble: state?.trouble ?? null,
        }
      : {}),
  }
}

/** The state in words: the last request, the last change, and any fault. */
function standing(state: SeriesState | null): string {
  if (state === null) return 'followed, not requested yet'
  const day = (instant: string) => instant.slice(0, 16).replace('T', ' ')
  const changed = state.lastChangedAt === null ? '' : `, changed ${day(state.lastChangedAt)}`
  const trouble = state.trouble === null ? '' : `; trouble: ${state.trouble}`
  return `followed, asked ${day(state.lastAskedAt)}${changed}${trouble}`
}

function show({ terminal }: Invocation, { slug, name }: Workspace, series: readonly ListedSeries[]): void {
  const title = name === slug ? slug : `${slug} (${name})`
  terminal.out(`${title}: ${countOf(series.length, 'series', 'series')}\n`)
  const values = alignOnPoint(series.map(({ lastValue }) => lastValue ?? ''))
  const rows = series.map((one, i) => {
    const [first, last] = [periodText(one, one.first), periodText(one, one.last)]
    const span = first === null ? 'no values' : first === last ? first : `${first} to ${last}`
    const reference = `${one.provider}/${one.code}`
    return [
      reference,
      one.name,
      one.frequency,
      span,
      values[i]!,
      countOf(one.vintages, 'vintage'),
      one.isFollowed ? standing(one.state) : 'own',
    ]
  })
  terminal.out(alignRows(rows, [5]))
}
