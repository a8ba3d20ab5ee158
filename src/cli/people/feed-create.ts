// `feed create`: the address of a calendar feed, printed once. Only a digest of its secret is stored.
import { publicUrlOf } from '../../config.ts'
import { feedAddress } from '../../core/people/feed-address.ts'
import { Refusal } from '../../core/refusal.ts'
import { KeyedDigests } from '../../storage/keys/key-ring.ts'
import { createFeed, type FeedContent, feedContents } from '../../storage/people/feeds.ts'
import { findMember } from '../../storage/people/people.ts'
import { Misuse, textOption, textOptions } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const feedCreateCommand = preparedCommand({
  name: 'feed create',
  usage: '--workspace W --name N [--person E] [--shows all|releases|dates] [--pam S …]',
  summary: 'Creates a calendar feed for calendar programs and prints its address once.',
  options: {
    name: { type: 'string', value: 'N', help: 'its name in calendar programs' },
    person: {
      type: 'string',
      value: 'E',
      help: 'the person who owns the feed, by e-mail address: it shows what they see and ends when they leave; default: the workspace',
    },
    shows: { type: 'string', value: 'S', help: 'all (default), releases, or dates of adjustments' },
    pam: { type: 'string', multiple: true, value: 'S', help: 'only this agreement; may be given several times' },
    as: actorSpec,
  },
  prepare: invocation => {
    const name = textOption(invocation, 'name')
    if (name === null) throw new Misuse('--name is missing: say what calendar programs should call it')
    const person = textOption(invocation, 'person')
    const shows = readContent(textOption(invocation, 'shows') ?? 'all')
    return { name, person, shows, slugs: textOptions(invocation, 'pam'), who: actorOf(invocation) }
  },
  async work({ sql, config, invocation, installation, workspace }, { name, person, shows, slugs, who }) {
    const member = person === null ? null : await findMember(sql, workspace.id, person)
    if (person !== null && member === null) throw new Refusal('not-found', `${workspace.slug} has no member ${person}`)
    const index = await openLibrary(installation, invocation).index(workspace.id)
    const ids = slugs.map(slug => {
      const id = index.agreementId(slug)
      if (id === undefined) throw new Refusal('not-found', `there is no agreement "${slug}"`)
      return id
    })
    const issued = await createFeed(sql, new KeyedDigests(installation.ring, 'feed digests'), {
      workspaceId: workspace.id,
      personId: member?.id ?? null,
      name,
      shows,
      agreementIds: ids.length === 0 ? null : ids,
      by: { who, fromAddress: null },
    })
    const address = feedAddress(publicUrlOf(config), issued.token)
    return {
      json: { id: issued.id, name: issued.name, address },
      words: [
        address,
        '',
        `${issued.name} (${issued.id}), of ${member?.email ?? workspace.slug}. Keep it now: it is not shown again, and anybody who has it can read the feed.`,
      ],
    }
  },
})

function readContent(text: string): FeedContent {
  const content = feedContents.find(each => each.toLowerCase() === text)
  if (content === undefined) throw new Misuse(`--shows must be all, releases or dates, got "${text}"`)
  return content
}
