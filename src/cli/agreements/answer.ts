// `agreement answer` and `agreement withdraw`: the operator answers an objection, or withdraws it, on behalf of one side.
import { answerObjection, withdrawObjection } from '../../agreements/object.ts'
import { textOption } from '../frame/command.ts'
import { neededOption, readSpeaker, speakerOptions } from '../frame/statement-options.ts'
import { preparedCommand, type WorkspaceContext, workspaceCommand } from '../frame/workspace-command.ts'

const objection = {
  type: 'string',
  value: 'O',
  help: 'the id of the objection, as agreement show --json prints it',
} as const

export const agreementAnswerCommand = preparedCommand({
  name: 'agreement answer',
  usage: '<slug> --workspace W --objection O --party buyer|supplier --as <email> --words T',
  summary: 'Answers an objection for one side, marked as said by the operator.',
  options: { ...speakerOptions, objection, words: { type: 'string', value: 'T', help: 'the answer' } },
  positionals: 1,
  prepare: invocation => neededOption(invocation, 'words'),
  work: (ground, words) => say(ground, answerObjection, words, 'answered'),
})

export const agreementWithdrawCommand = workspaceCommand({
  name: 'agreement withdraw',
  usage: '<slug> --workspace W --objection O --party buyer|supplier --as <email> [--words T]',
  summary: 'Withdraws an objection for the side that made it, marked as said by the operator.',
  options: { ...speakerOptions, objection, words: { type: 'string', value: 'T', help: 'why' } },
  positionals: 1,
  work: ground => say(ground, withdrawObjection, textOption(ground.invocation, 'words') ?? '', 'withdrawn'),
})

async function say(
  { invocation, sql, workspace }: WorkspaceContext,
  write: typeof answerObjection,
  words: string,
  outcome: 'answered' | 'withdrawn',
) {
  const objectionId = neededOption(invocation, 'objection')
  await write(sql, { ...readSpeaker(invocation, workspace.id), objectionId, words })
  return { json: { objection: objectionId, outcome }, words: `${outcome}\n` }
}
