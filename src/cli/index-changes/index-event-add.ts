// `index-event add`: an operator records a fact about an index. A second record under the same id is a correction.

import { carryOutEverywhere } from '../../agreements/terms/carry-out.ts'
import { directions, eventKinds, type IndexEvent } from '../../core/index-changes/index-event.ts'
import { isOneLine, oneLineRule } from '../../core/text/one-line.ts'
import { parseDay } from '../../core/time/day.ts'
import { findProvider } from '../../providers/catalogue/catalogue.ts'
import { addIndexEvent } from '../../storage/series/index-events.ts'
import { type Command, choiceOption, type Invocation, Misuse, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec, noteCommand } from '../frame/operator.ts'

export const indexEventAddCommand: Command = {
  name: 'index-event add',
  usage:
    '<id> --kind K --day D --sentence S --source S [--provider P --codes C] [--successor C] [--coefficient N --direction D]',
  summary: 'Records a change of an index; with the id of an existing event it corrects that event.',
  options: {
    kind: { type: 'string', value: 'K', help: `${eventKinds.join(', ')}` },
    day: { type: 'string', value: 'D', help: 'the day from which it holds' },
    sentence: { type: 'string', value: 'S', help: 'a sentence that says what happened' },
    source: { type: 'string', value: 'S', help: 'where it was published' },
    provider: { type: 'string', value: 'P', help: 'the provider of the index; left out if no provider has it' },
    codes: { type: 'string', value: 'C', help: 'its code, or a pattern in which * stands for any characters' },
    successor: { type: 'string', value: 'C', help: 'the code of the series that takes its place' },
    coefficient: { type: 'string', value: 'N', help: 'the coefficient as it is printed' },
    direction: { type: 'string', value: 'D', help: `${directions.join(' or ')}` },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  run: invocation => {
    const event = readEvent(invocation)
    return withInstallation(invocation, async ({ sql }) => {
      const outcome = await addIndexEvent(sql, event, `${actorOf(invocation)} (by command)`)
      await noteCommand(sql, invocation, 'index-event.add', `event of an index ${outcome}`, event.id)
      const carriedOut = await carryOutEverywhere(sql)
      return {
        json: { ...event, outcome, carriedOut },
        words: [`${event.id}: ${outcome}`, ...carriedOut.map(formatCarriedOut)],
      }
    })
  },
}

function formatCarriedOut({ slug, id, version, why }: Awaited<ReturnType<typeof carryOutEverywhere>>[number]): string {
  if (id === null) return `${slug}: the successor that was agreed in advance cannot be proposed: ${why}\n`
  return `${slug}: the successor that was agreed in advance is ${version === null ? `proposed as ${id}` : `formula ${version}, by ${id}`}\n`
}

function readEvent(invocation: Invocation): IndexEvent {
  const given = (name: string) => textOption(invocation, name)
  const needed = (name: string) => {
    const text = given(name)
    if (text === null || text.trim() === '') throw new Misuse(`--${name} is missing`)
    if (!isOneLine(text.trim())) throw new Misuse(`--${name} ${oneLineRule}`)
    return text.trim()
  }
  const id = invocation.positionals[0]!
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 100)
    throw new Misuse(`the id of an event is written in small letters, digits and hyphens, got "${id}"`)
  needed('kind')
  const kind = choiceOption(invocation, 'kind', eventKinds)!
  const day = needed('day')
  if (parseDay(day) === null) throw new Misuse(`--day must be a day as YYYY-MM-DD, got "${day}"`)
  const [provider, codes] = [given('provider'), given('codes')]
  if ((provider === null) !== (codes === null)) throw new Misuse('--provider and --codes are given together')
  return {
    id,
    kind,
    day,
    sentence: needed('sentence'),
    source: needed('source'),
    codes,
    successor: given('successor'),
    provider: provider === null ? null : findProvider(provider).name,
    coefficient: coefficientOf(invocation),
  }
}

function coefficientOf(invocation: Invocation): IndexEvent['coefficient'] {
  const digits = textOption(invocation, 'coefficient')
  const direction = choiceOption(invocation, 'direction', directions)
  if (digits === null && direction === null) return null
  if (direction === null) throw new Misuse(`--direction must be ${directions.join(' or ')}, got ""`)
  if (digits === null || !/^\d{1,30}(\.\d{1,29})?$/.test(digits))
    throw new Misuse(`--coefficient is written as it is printed, such as 1.0274, got "${digits ?? ''}"`)
  return { direction, digits }
}
