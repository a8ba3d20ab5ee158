// Form that sets or changes an identity provider: its people, its address, and the meaning of its groups here.
import { Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Role, roles } from '../../../../src/core/roles.ts'
import type { IdentityProviderRow, IdentityProvidersPage } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { useWorkspace } from '../../../session.ts'

interface ProviderFormProps {
  readonly page: IdentityProvidersPage
  readonly provider: IdentityProviderRow | null
  readonly close: () => void
  readonly done: (page: IdentityProvidersPage) => Promise<void>
}

/** People of no party, in the list. */
const own = ':own'

interface Entered {
  readonly party: string
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
  readonly isRequired: boolean
  readonly except: string | null
  readonly groups: string
  readonly claim: string
  readonly joinGroup: string
  readonly joinRole: Role | null
}

export function ProviderForm({ page, provider, close, done }: ProviderFormProps) {
  const { path } = useWorkspace()
  const [entered, setEntered] = useState<Entered>(() => enteredOf(page, provider))
  const change = (some: Partial<Entered>) => setEntered({ ...entered, ...some })
  const { issuer, clientId, secret, isRequired } = entered
  const read = readGroups(entered.groups)
  const isKept = provider !== null && provider.issuer === issuer.trim() && provider.clientId === clientId.trim()
  const save = async () => done(await api.post(path('/identity-providers'), bodyOf(entered, read.groups)))
  return (
    <FormDialog
      title={provider === null ? 'Set an identity provider' : 'Change the identity provider'}
      action={isRequired ? 'Save, and end passwords' : 'Save'}
      isDangerous={isRequired && provider?.isRequired !== true}
      isReady={issuer !== '' && clientId !== '' && (secret !== '' || isKept) && read.wrong === null}
      run={save}
      close={close}
    >
      <Select
        data-autofocus
        label="People of"
        data={page.parties.map(({ party: slug, name }) => ({
          value: slug ?? own,
          label: slug === null ? `${name}: people of no party` : name,
        }))}
        value={entered.party}
        disabled={provider !== null}
        allowDeselect={false}
        onChange={value => change({ party: value ?? own })}
      />
      <TextInput
        label="Issuer"
        description="The address of the provider, as its tokens name it, letter by letter"
        placeholder="https://login.nova.example"
        required
        value={issuer}
        onChange={event => change({ issuer: event.currentTarget.value })}
      />
      <TextInput
        label="Client ID"
        required
        value={clientId}
        onChange={event => change({ clientId: event.currentTarget.value })}
      />
      <PasswordInput
        label="Client secret"
        description={isKept ? 'Left empty, it stays as it is' : 'It is kept encrypted and never shown again'}
        autoComplete="off"
        required={!isKept}
        value={secret}
        onChange={event => change({ secret: event.currentTarget.value })}
      />
      <Groups entered={entered} change={change} wrong={read.wrong} />
      <Required page={page} entered={entered} change={change} />
    </FormDialog>
  )
}

function enteredOf({ parties }: IdentityProvidersPage, provider: IdentityProviderRow | null): Entered {
  return {
    party: (provider ?? parties[0])?.party ?? own,
    issuer: provider?.issuer ?? '',
    clientId: provider?.clientId ?? '',
    secret: '',
    isRequired: provider?.isRequired ?? false,
    except: provider?.except ?? null,
    groups: provider?.groups.map(({ group, role }) => `${group} = ${role}`).join('\n') ?? '',
    claim: provider?.groupsClaim ?? 'groups',
    joinGroup: provider?.joining?.group ?? '',
    joinRole: provider?.joining?.role ?? null,
  }
}

function bodyOf({ isRequired, except, secret, claim, ...entered }: Entered, groups: readonly GroupRole[]) {
  const joinGroup = entered.joinGroup.trim()
  return {
    party: partyOf(entered),
    issuer: entered.issuer.trim(),
    clientId: entered.clientId.trim(),
    isRequired,
    groups: [...groups],
    ...(secret === '' ? {} : { clientSecret: secret }),
    ...(isRequired && except !== null ? { except } : {}),
    ...(groups.length > 0 || joinGroup !== '' ? { groupsClaim: claim.trim() } : {}),
    ...(joinGroup === '' ? {} : { joining: { group: joinGroup, role: joinRoleOf(entered) } }),
  }
}

/** A viewer sees every agreement of the workspace; people of a party see those that name it. */
function joinRoleOf({ party, joinRole }: Pick<Entered, 'party' | 'joinRole'>): Role {
  return joinRole ?? (partyOf({ party }) === null ? 'viewer' : 'supplier')
}

const partyOf = ({ party }: Pick<Entered, 'party'>) => (party === own ? null : party)

interface PartProps {
  readonly entered: Entered
  readonly change: (some: Partial<Entered>) => void
}

function Groups({ entered, change, wrong }: PartProps & { readonly wrong: string | null }) {
  const { groups, joinGroup, claim } = entered
  const { role } = useWorkspace()
  // Only an owner gives others than their own.
  const given = role === 'owner' ? roles : [role]
  const example = role === 'owner' ? 'Price buyers = buyer' : `Price people = ${role}`
  return (
    <>
      <Textarea
        label="Groups and roles"
        description={`One per line, such as “${example}”; at each sign-in the first match counts. ${given.length === 1 ? 'Role' : 'Roles'}: ${given.join(', ')}`}
        autosize
        minRows={2}
        value={groups}
        error={wrong}
        onChange={event => change({ groups: event.currentTarget.value })}
      />
      <TextInput
        label={`People of this group join without an invitation, as ${joinRoleOf(entered)}s`}
        value={joinGroup}
        onChange={event => change({ joinGroup: event.currentTarget.value })}
      />
      {(groups.trim() !== '' || joinGroup !== '') && (
        <TextInput
          label="Claim with the groups"
          required
          value={claim}
          onChange={event => change({ claim: event.currentTarget.value })}
        />
      )}
    </>
  )
}

function Required({ page, entered, change }: PartProps & Pick<ProviderFormProps, 'page'>) {
  const { isRequired, except } = entered
  const owners = page.owners.filter(({ party }) => party === partyOf(entered))
  return (
    <>
      <Checkbox
        label="Required: these people have no password"
        description="Their password sessions end, and invitation links lead to the provider"
        checked={isRequired}
        onChange={event => change({ isRequired: event.currentTarget.checked })}
      />
      {isRequired && owners.length > 0 && (
        <Select
          label="The owner who keeps a password"
          description="So that a broken provider cannot lock everybody out"
          data={owners.map(({ email }) => email)}
          value={except}
          clearable
          onChange={value => change({ except: value })}
        />
      )}
    </>
  )
}

interface GroupRole {
  readonly group: string
  readonly role: Role
}

/** Groups that are written, or the first line that cannot be read. */
function readGroups(text: string): {
  readonly groups: readonly GroupRole[]
  readonly wrong: string | null
} {
  const groups: GroupRole[] = []
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    const at = line.lastIndexOf('=')
    const role = roles.find(each => each === line.slice(at + 1).trim())
    if (at < 1 || role === undefined) return { groups, wrong: `“${line.trim()}” is not a group, = and a role` }
    groups.push({ group: line.slice(0, at).trim(), role })
  }
  return { groups, wrong: null }
}
