// Options that objecting, answering and withdrawing share: the speaker, the side, the agreement. The operator speaks in
// somebody's name, and that is marked.
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { type Invocation, Misuse, textOption } from './command.ts'

export const speakerOptions = {
  party: { type: 'string', value: 'S', help: 'buyer or supplier' },
  as: { type: 'string', value: 'E', help: 'the e-mail address of the person in whose name it is said' },
} as const

export const refusalOptions = {
  ...speakerOptions,
  reason: { type: 'string', value: 'T', help: 'why, in words' },
  hash: { type: 'string', value: 'H', help: 'refuse only if this is its hash' },
} as const
export const refusalUsage = '<id> --workspace W --party buyer|supplier --as <email> --reason T [--hash H]'

export function neededOption(invocation: Invocation, name: string): string {
  const value = textOption(invocation, name)
  if (value === null) throw new Misuse(`--${name} is missing`)
  return value
}

export function partyOption(invocation: Invocation): Party {
  const written = neededOption(invocation, 'party')
  const party = partyNames.find(name => name === written)
  if (party === undefined) throw new Misuse(`--party must be buyer or supplier, got "${written}"`)
  return party
}

export function readSpeaker(invocation: Invocation, workspaceId: string) {
  return {
    workspaceId,
    agreement: invocation.positionals[0]!,
    party: partyOption(invocation),
    email: neededOption(invocation, 'as'),
    means: 'OPERATOR' as const,
    fromAddress: null,
  }
}

export function readRefusal(invocation: Invocation, workspaceId: string) {
  const { agreement: id, ...speaker } = readSpeaker(invocation, workspaceId)
  return { ...speaker, id, reason: neededOption(invocation, 'reason'), hash: textOption(invocation, 'hash') }
}
