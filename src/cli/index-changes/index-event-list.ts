// `index-event list`: recorded facts about indices as such, the newest day first.
import { isAbout } from '../../core/index-changes/index-event.ts'
import { notASeries, parseReference } from '../../core/series/series.ts'
import { findProvider } from '../../providers/catalogue/catalogue.ts'
import { listIndexEvents, type StoredIndexEvent } from '../../storage/series/index-events.ts'
import { type Command, Misuse, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'

export const indexEventListCommand: Command = {
  name: 'index-event list',
  usage: '[--provider P | --series C]',
  summary: 'Lists the known changes of indices: ended, put on another base, replaced, cancelled, computed differently.',
  options: {
    provider: { type: 'string', value: 'P', help: 'only this provider' },
    series: { type: 'string', value: 'C', help: 'only changes of this series, as PROVIDER/code' },
  },
  positionals: { least: 0, most: 0 },
  run: invocation => {
    const [provider, reference] = ['provider', 'series'].map(name => textOption(invocation, name))
    const series = reference == null ? null : parseReference(reference)
    if (reference != null && series === null) throw new Misuse(notASeries(reference))
    const asked = provider == null ? null : findProvider(provider).name
    return withInstallation(invocation, async ({ sql }) => {
      const newest = new Map((await listIndexEvents(sql)).map(event => [event.id, event]))
      const events = [...newest.values()]
        .filter(event => (asked === null || event.provider === asked) && (series === null || isAbout(event, series)))
        .sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : a.id < b.id ? -1 : 1))
      const none = 'No change of these indices is known.\n'
      return { json: events, words: events.length === 0 ? none : events.map(wordsOf) }
    })
  },
}

function wordsOf(event: StoredIndexEvent): string[] {
  const { day, kind, provider, codes, sentence, successor, coefficient, source, id } = event
  return [
    `${day} ${kind} ${provider === null ? 'an index of no provider' : `${provider}/${codes}`} (${id})`,
    `  ${sentence}`,
    ...(successor === null ? [] : [`  successor: ${successor}`]),
    ...(coefficient === null ? [] : [`  coefficient: ${coefficient.digits}, ${coefficient.direction}`]),
    `  source: ${source}`,
  ]
}
