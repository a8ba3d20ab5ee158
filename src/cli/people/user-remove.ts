// `user remove`: takes a person out of a workspace, at once. Their signatures and acts stay.
import { removeMember } from '../../storage/people/member-changes.ts'
import { findMember, notHere, readEmail } from '../../storage/people/people.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const userRemoveCommand = preparedCommand({
  name: 'user remove',
  usage: '<email> --workspace W',
  summary: 'Removes a person from a workspace at once. Their keys, feeds and links end; their signatures stay.',
  options: { as: actorSpec },
  positionals: 1,
  prepare: invocation => ({ email: readEmail(invocation.positionals[0]!), who: actorOf(invocation) }),
  async work({ sql, workspace }, { email, who }) {
    const member = await findMember(sql, workspace.id, email)
    if (member === null) throw notHere()
    const ended = await removeMember(sql, workspace.id, member.id, { who, fromAddress: null })
    const also = [count(ended.keys, 'key'), count(ended.feeds, 'feed'), count(ended.links, 'link')].join(', ')
    return {
      json: { email, workspace: workspace.slug, ended },
      words: `${email} is removed from ${workspace.slug}; ended with it: ${also}\n`,
    }
  },
})

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}
