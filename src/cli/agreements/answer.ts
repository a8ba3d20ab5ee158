// `pam answer` and `pam withdraw`: the operator answers an objection, or withdraws it, on behalf of one side.
import { answerObjection, withdrawObjection } from '../../agreements/object.ts'
import { type Command, type Invocation, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption } from '../frame/installation.ts'
import { neededOption, readSpeaker, speakerOptions } from '../frame/statement-options.ts'

const objection = { type: 'string', value: 'O', help: 'the id of the objection, as pam show --json prints it' } as const

export const pamAnswerCommand: Command = {
  name: 'pam answer',
  usage: '<slug> --workspace W --objection O --party buyer|supplier --as <email> --words T',
  summary: 'Answers an objection for one side, marked as said by the operator.',
  options: { ...speakerOptions, objection, words: { type: 'string', value: 'T', help: 'the answer' } },
  positionals: { least: 1, most: 1 },
  run: invocation => say(invocation, answerObjection, neededOption(invocation, 'words'), 'answered'),
}

export const pamWithdrawCommand: Command = {
  name: 'pam withdraw',
  usage: '<slug> --workspace W --objection O --party buyer|supplier --as <email> [--words T]',
  summary: 'Withdraws an objection for the side that made it, marked as said by the operator.',
  options: { ...speakerOptions, objection, words: { type: 'string', value: 'T', help: 'why' } },
  positionals: { least: 1, most: 1 },
  run: invocation => say(invocation, withdrawObjection, textOption(invocation, 'words') ?? '', 'withdrawn'),
}

function say(
  invocation: Invocation,
  write: typeof answerObjection,
  words: string,
  outcome: 'answered' | 'withdrawn',
): Promise<number> {
  return withInstallation(invocation, async installation => {
    const workspace = await workspaceOption(installation, invocation)
    const objectionId = neededOption(invocation, 'objection')
    const said = { ...readSpeaker(invocation, workspace.id), objectionId, words }
    await write(installation.sql, said)
    if (invocation.json) writeJson(invocation, { objection: objectionId, outcome })
    else invocation.terminal.out(`${outcome}\n`)
    return 0
  })
}
