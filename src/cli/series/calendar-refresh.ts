// `calendar refresh`: asks the providers for their release calendars, and keeps new entries.
import {
  type CalendarRun,
  calendarProviders,
  calendarTrouble,
  refreshCalendars,
} from '../../ingest/calendar/calendar.ts'
import { openIngest } from '../../ingest/ingest-connections.ts'
import { findProvider } from '../../providers/catalogue/catalogue.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant } from '../frame/clock.ts'
import { type Command, type Invocation, Misuse, printJson, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { noteCommand } from '../frame/operator.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'

export const calendarRefreshCommand: Command = {
  name: 'calendar refresh',
  usage: '[--provider P]',
  summary: 'Asks the providers for their release calendars, and stores new dates.',
  options: { provider: { type: 'string', value: 'P', help: 'only this provider' } },
  positionals: { least: 0, most: 0 },
  run: invocation => {
    const asked = choose(invocation)
    return withInstallation(invocation, async (installation, config) => {
      const progress = new ProgressLine(invocation)
      const ingest = openIngest(installation, config, { clock: currentInstant })
      try {
        const names = asked.map(({ name }) => name).join(' ')
        await noteCommand(installation.sql, invocation, 'refresh.run', 'calendars are refreshed', names)
        progress.show('asking for calendars', 0, asked.length)
        const runs = await refreshCalendars(ingest, asked)
        progress.clear()
        return report(invocation, runs)
      } finally {
        progress.clear()
        await ingest.close()
      }
    })
  },
}

function choose(invocation: Invocation) {
  const name = textOption(invocation, 'provider')
  const all = calendarProviders()
  if (name === null) return all
  const provider = findProvider(name)
  const found = all.filter(each => each.name === provider.name)
  if (found.length === 0) {
    const names = all.map(each => each.name).join(' ')
    throw new Misuse(`${provider.name} has no calendar that a program can read; those that have one are ${names}`)
  }
  return found
}

function report(invocation: Invocation, runs: readonly CalendarRun[]): number {
  const { terminal } = invocation
  for (const run of runs) {
    const words = run.outcome.kind === 'busy' ? 'another run is asking for it' : calendarTrouble(run)
    if (words !== null) terminal.err(`assize: calendar of ${run.provider}: ${words}\n`)
  }
  if (invocation.json) printJson(invocation, { calendars: runs.map(present) })
  else terminal.out(alignRows(runs.map(cellsOf), [], ''))
  return runs.some(({ problems }) => problems.length > 0) ? 1 : 0
}

function present(run: CalendarRun) {
  const { provider, outcome, entries, ahead, unread, asked } = run
  const { added, moved, withdrawn } = outcome.kind === 'changed' ? outcome : { added: 0, moved: 0, withdrawn: 0 }
  const counts = { entries, ahead, unread, new: added, moved, withdrawn, requests: asked }
  return { provider, outcome: outcome.kind, ...counts, trouble: calendarTrouble(run) }
}

function cellsOf({ provider, outcome, entries, ahead, unread }: CalendarRun): readonly string[] {
  const counts = `${countOf(entries, 'entry', 'entries')}, ${ahead} ahead`
  const unclear = unread === 0 ? '' : `${unread} not read fully`
  const isAsked = !['busy', 'failed', 'nothing asked'].includes(outcome.kind)
  return [provider, changeWords(outcome), isAsked ? counts : '', isAsked ? unclear : '']
}

function changeWords(outcome: CalendarRun['outcome']): string {
  if (outcome.kind === 'unchanged') return 'nothing new'
  if (outcome.kind === 'nothing asked') return 'no series of it is followed'
  if (outcome.kind === 'quarantined') return 'waits for a decision'
  if (outcome.kind !== 'changed') return outcome.kind
  const { added, moved, withdrawn } = outcome
  const parts = [
    added > 0 ? `${added} new` : null,
    moved > 0 ? `${moved} moved` : null,
    withdrawn > 0 ? `${withdrawn} no longer announced` : null,
  ]
  return parts.filter(part => part !== null).join(', ')
}
