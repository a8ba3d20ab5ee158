// `refresh`: asks the providers for new data of the followed series, and appends it.
import { Refusal } from '../../core/refusal.ts'
import { notASeries, parseReference } from '../../core/series/series.ts'
import { openIngest } from '../../ingest/ingest-connections.ts'
import { refreshSeries } from '../../ingest/refresh.ts'
import type { ProviderRun } from '../../ingest/run.ts'
import { findProvider } from '../../providers/catalogue/catalogue.ts'
import { loadFollowed } from '../../storage/series/follows.ts'
import { listPublicSeries, type PublicSeries } from '../../storage/series/public-series.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant } from '../frame/clock.ts'
import { type Command, type Invocation, printJson, textOption } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { noteCommand } from '../frame/operator.ts'
import { ProgressLine } from '../frame/progress.ts'
import { changeWords, newestWords, presentOutcome, printTroubles, referenceOf, totalWords } from './ingest-report.ts'

export const refreshCommand: Command = {
  name: 'refresh',
  usage: '[PROVIDER/code …] [--provider P] [--workspace W]',
  summary: 'Asks the providers for new data of the followed series, and appends it.',
  options: {
    provider: { type: 'string', value: 'P', help: 'only the series of this provider' },
    workspace: { ...workspaceSpec, help: 'only the series this workspace follows' },
  },
  positionals: { least: 0, most: 10_000 },
  heap: 'small',
  run: invocation =>
    withInstallation(invocation, async (installation, config) => {
      const series = await choose(installation, invocation)
      const progress = new ProgressLine(invocation)
      let done = 0
      const ingest = openIngest(installation, config, {
        clock: currentInstant,
        report: outcome => progress.show(`${referenceOf(outcome)}: ${changeWords(outcome)}`, ++done, series.length),
      })
      try {
        await noteCommand(
          installation.sql,
          invocation,
          'refresh.run',
          'series are refreshed',
          `${series.length} series`,
        )
        if (series.length > 0) progress.show('asking', 0, series.length)
        const runs = await refreshSeries(ingest, series, 'refresh')
        progress.clear()
        return report(invocation, runs)
      } finally {
        progress.clear()
        await ingest.close()
      }
    }),
}

async function choose(installation: Installation, invocation: Invocation): Promise<readonly PublicSeries[]> {
  const provider = textOption(invocation, 'provider')
  const all = await listPublicSeries(
    installation.sql,
    provider === null ? {} : { provider: findProvider(provider).name },
  )
  const followed = textOption(invocation, 'workspace') === null ? null : await followedBy(installation, invocation)
  const seen = followed === null ? all : all.filter(({ id }) => followed.has(id))
  return invocation.positionals.length === 0 ? seen : named(seen, invocation.positionals)
}

async function followedBy(installation: Installation, invocation: Invocation): Promise<ReadonlySet<string>> {
  const workspace = await workspaceOption(installation, invocation)
  return loadFollowed(installation.sql, workspace.id)
}

/** An unknown reference is refused before any provider is asked. */
function named(series: readonly PublicSeries[], references: readonly string[]): readonly PublicSeries[] {
  const found = references.map(reference => {
    const parsed = parseReference(reference)
    if (parsed === null) throw new Refusal('invalid', notASeries(reference))
    const code = parsed.code.toLowerCase()
    const own = series.find(each => each.provider === parsed.provider && each.code.toLowerCase() === code)
    if (own === undefined)
      throw new Refusal('not-found', `${reference} is not followed; see assize series follow --help`)
    return own
  })
  return [...new Set(found)]
}

function report(invocation: Invocation, runs: readonly ProviderRun[]): number {
  const { terminal } = invocation
  const outcomes = runs.flatMap(run => run.outcomes)
  const isTroubled = printTroubles(terminal, outcomes)
  if (invocation.json) printJson(invocation, { runs: runs.map(present), series: outcomes.map(presentOutcome) })
  else {
    const changed = outcomes.filter(({ outcome }) => outcome.kind === 'changed')
    terminal.out(alignRows(changed.map(each => [referenceOf(each), changeWords(each), newestWords(each)])))
    terminal.out(
      totalWords(
        outcomes,
        runs.reduce((sum, { asked }) => sum + asked, 0),
      ),
    )
  }
  return isTroubled ? 1 : 0
}

function present({ provider, asked, outcomes }: ProviderRun) {
  const shown = outcomes.map(presentOutcome)
  const sum = (pick: 'new' | 'revised' | 'withdrawn') => shown.reduce((total, each) => total + each[pick], 0)
  return {
    provider,
    series: outcomes.length,
    asked,
    new: sum('new'),
    revised: sum('revised'),
    withdrawn: sum('withdrawn'),
    quarantined: shown.filter(({ outcome }) => outcome === 'quarantined').length,
    problems: shown.filter(({ trouble }) => trouble !== null).length,
  }
}
