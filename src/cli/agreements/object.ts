// `agreement object`: the operator objects to a period's number on behalf of one side. The objection is marked as the operator's.
import { objectToPeriod } from '../../agreements/object.ts'
import { Seal } from '../../agreements/seal.ts'
import type { ObjectionSubject } from '../../core/receipt/objection.ts'
import { type Invocation, Misuse, textOption } from '../frame/command.ts'
import { neededOption, readSpeaker, speakerOptions } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const agreementObjectCommand = workspaceCommand({
  name: 'agreement object',
  usage:
    '<slug> --workspace W --period P --party buyer|supplier --as <email> --reason R [--hash H] [--line L | --figure INPUT:SERIES:PERIOD]',
  summary: 'Objects to the adjustment of a period for one side, marked as made by the operator. Prints the id.',
  options: {
    ...speakerOptions,
    period: { type: 'string', value: 'P', help: 'the period, such as 2024-Q2' },
    reason: { type: 'string', value: 'R', help: 'what is wrong, in words' },
    hash: { type: 'string', value: 'H', help: 'object only if this is the current hash' },
    line: { type: 'string', value: 'L', help: 'the line of the calculation it is about; default: the number' },
    figure: { type: 'string', value: 'F', help: 'the figure it is about, such as steel:BLS/WPU101:2024-03' },
  },
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    const made = await objectToPeriod(sql, new Seal(installation.ring), {
      ...readSpeaker(invocation, workspace.id),
      period: neededOption(invocation, 'period'),
      hash: textOption(invocation, 'hash'),
      about: readSubject(invocation),
      reason: neededOption(invocation, 'reason'),
      reading: null,
    })
    return { json: made, words: `${made.id}\n` }
  },
})

function readSubject(invocation: Invocation): ObjectionSubject {
  const line = textOption(invocation, 'line')
  const figure = textOption(invocation, 'figure')
  if (line !== null && figure !== null) throw new Misuse('--line and --figure cannot both be given')
  if (line !== null) return { kind: 'line', line }
  if (figure === null) return { kind: 'number' }
  const [, input, series, period] = /^([^:]+):(.+):([^:]+)$/.exec(figure) ?? []
  if (input === undefined || series === undefined || period === undefined)
    throw new Misuse(`--figure must be INPUT:SERIES:PERIOD, got "${figure}"`)
  return { kind: 'figure', input, series, period }
}
