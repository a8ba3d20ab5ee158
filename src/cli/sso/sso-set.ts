// `sso set`: sign-in of the people of a party, or of the people of the workspace who belong to none. The secret comes from a
// file, so that it is in no history of commands.
import { publicUrlOf } from '../../config.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Role, roles } from '../../core/roles.ts'
import { callbackPath } from '../../identity/authorisation.ts'
import { clientSecrets } from '../../identity/identity-connections.ts'
import { type GroupRole, type NewProvider, setProvider } from '../../storage/identity/providers.ts'
import { type Invocation, Misuse, textOption, textOptions } from '../frame/command.ts'
import { readFileBytes } from '../frame/files.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { partySpec, showProvider, wordsOf } from './provider-words.ts'

const mostSecretBytes = 4_096

export const ssoSetCommand = preparedCommand({
  name: 'sso set',
  usage:
    '--workspace W [--party P] --issuer A --client-id C [--client-secret-file F] [--required [--except E]] [--groups-claim N --group G=role …] [--join-as viewer --group G]',
  summary:
    'Sets the identity provider by which the people of a party, or of the workspace, sign in. A setting that is left out is removed, except the secret.',
  options: {
    party: partySpec,
    issuer: {
      type: 'string',
      value: 'A',
      help: 'the address of the provider, as its tokens name it: https://login.nova.example',
    },
    'client-id': { type: 'string', value: 'C', help: 'the id of this installation at the provider' },
    'client-secret-file': {
      type: 'string',
      value: 'F',
      help: 'a file with the secret of the client; needed the first time',
    },
    required: { type: 'boolean', help: 'its people have no password; their password sessions end' },
    except: { type: 'string', value: 'E', help: 'the owner, by e-mail address, who keeps a password' },
    'groups-claim': {
      type: 'string',
      value: 'N',
      help: 'the claim of a token that lists the groups of a person; default: groups',
    },
    group: {
      type: 'string',
      multiple: true,
      value: 'G=R',
      help: 'people in group G have role R; the first match counts',
    },
    'join-as': {
      type: 'string',
      value: 'R',
      help: 'the people of a --group without a role join without an invitation, as viewer or supplier',
    },
    as: actorSpec,
  },
  prepare: async invocation => ({ wanted: await readWanted(invocation), who: actorOf(invocation) }),
  async work({ sql, config, workspace, installation }, { wanted, who }) {
    const address = publicUrlOf(config)
    const by = { who, fromAddress: null }
    const { provider, unlinked } = await setProvider(sql, workspace.id, wanted, clientSecrets(installation.ring), by)
    const shown = await showProvider(sql, config, provider)
    const first =
      config.publicUrl === null ? ['ASSIZE_PUBLIC_URL is not set: the addresses below are those of this machine.'] : []
    const links =
      unlinked.length === 0
        ? []
        : [
            `${unlinked.join(', ')} ${provider.isRequired ? 'can no longer sign in' : 'sign in by password'} until they open a new link (Settings, People).`,
          ]
    const lines = [
      ...first,
      ...wordsOf(shown),
      `enter at the provider: redirect address ${address}${callbackPath}, back-channel logout ${address}/sso/logout`,
      ...links,
      `try it: assize sso test --workspace ${workspace.slug}${wanted.party === null ? '' : ` --party ${wanted.party}`}`,
    ]
    return { json: { ...shown, unlinked }, words: lines }
  },
})

async function readWanted(invocation: Invocation): Promise<NewProvider> {
  const issuer = needed(invocation, 'issuer')
  const clientId = needed(invocation, 'client-id')
  const file = textOption(invocation, 'client-secret-file')
  const secret = file === null ? null : (await readFileBytes(file, mostSecretBytes)).toString('utf8').trim()
  if (secret === '') throw new Refusal('invalid', `${file} is empty`)
  const { groups, joining } = readGroups(invocation)
  const usesGroups = groups.length > 0 || joining !== null
  return {
    issuer,
    clientId,
    clientSecret: secret,
    party: textOption(invocation, 'party'),
    groups,
    joining,
    isRequired: invocation.options.required === true,
    except: textOption(invocation, 'except'),
    groupsClaim: textOption(invocation, 'groups-claim') ?? (usesGroups ? 'groups' : null),
  }
}

function needed(invocation: Invocation, name: 'issuer' | 'client-id'): string {
  const text = textOption(invocation, name)
  if (text === null) throw new Misuse(`--${name} is missing`)
  return text
}

/**
 * Reads the groups, each with or without a role: the group whose people may join. A group may be named with an equals sign; a
 * role is not.
 */
function readGroups(invocation: Invocation): Pick<NewProvider, 'groups' | 'joining'> {
  const given = textOptions(invocation, 'group')
  const groups: GroupRole[] = []
  const bare: string[] = []
  for (const text of given) {
    const at = text.lastIndexOf('=')
    if (at < 1) bare.push(text)
    else groups.push({ group: text.slice(0, at), role: readRole(text.slice(at + 1)) })
  }
  const joinAs = textOption(invocation, 'join-as')
  if (joinAs === null && bare.length > 0)
    throw new Misuse(`--group is a group and a role, such as "Price buyers=buyer", got "${bare[0]}"`)
  if (joinAs !== null && bare.length !== 1)
    throw new Misuse('--join-as needs one --group without a role: the people who may join without an invitation')
  return { groups, joining: joinAs === null ? null : { group: bare[0]!, role: readRole(joinAs) } }
}

function readRole(text: string): Role {
  const role = roles.find(each => each === text)
  if (role === undefined) throw new Misuse(`a role is one of ${roles.join(', ')}, got "${text}"`)
  return role
}
