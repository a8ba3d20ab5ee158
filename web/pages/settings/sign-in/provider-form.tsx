// Sets or changes an identity provider: whose people, where it is, and what its groups mean here.
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

export function ProviderForm({ page, provider, close, done }: ProviderFormProps) {
  const { path } = useWorkspace()
  const [party, setParty] = useState<string>((provider ?? page.parties[0])?.party ?? own)
  const [issuer, setIssuer] = useState(provider?.issuer ?? '')
  const [clientId, setClientId] = useState(provider?.clientId ?? '')
  const [secret, setSecret] = useState('')
  const [isRequired, setRequired] = useState(provider?.isRequired ?? false)
  const [except, setExcept] = useState(provider?.except ?? null)
  const [groups, setGroups] = useState(provider?.groups.map(({ group, role }) => `${group} = ${role}`).join('\n') ?? '')
  const [claim, setClaim] = useState(provider?.groupsClaim ?? 'groups')
  const [joinGroup, setJoinGroup] = useState(provider?.joining?.group ?? '')
  const wanted = party === own ? null : party
  const owners = page.owners.filter(each => each.party === wanted)
  const read = readGroups(groups)
  const isKept = provider !== null && provider.issuer === issuer.trim() && provider.clientId === clientId.trim()
  const save = async () => {
    const usesGroups = read.groups.length > 0 || joinGroup.trim() !== ''
    const body = {
      ...{ party: wanted, issuer: issuer.trim(), clientId: clientId.trim(), isRequired, groups: [...read.groups] },
      ...(secret === '' ? {} : { clientSecret: secret }),
      ...(isRequired && except !== null ? { except } : {}),
      ...(usesGroups ? { groupsClaim: claim.trim() } : {}),
      ...(joinGroup.trim() === '' ? {} : { joining: { group: joinGroup.trim(), role: 'viewer' as const } }),
    }
    await done(await api.post(path('/identity-providers'), body))
  }
  const isReady = issuer !== '' && clientId !== '' && (secret !== '' || isKept) && read.wrong === null
  return (
    <FormDialog
      title={provider === null ? 'Set an identity provider' : 'Change the identity provider'}
      action={isRequired ? 'Save, and end passwords' : 'Save'}
      isDangerous={isRequired && provider?.isRequired !== true}
      isReady={isReady}
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
        value={party}
        disabled={provider !== null}
        allowDeselect={false}
        onChange={value => setParty(value ?? own)}
      />
      <TextInput
        label="Issuer"
        description="The address of the provider, as its tokens name it, letter by letter"
        placeholder="https://login.nova.example"
        required
        value={issuer}
        onChange={event => setIssuer(event.currentTarget.value)}
      />
      <TextInput
        label="Client ID"
        required
        value={clientId}
        onChange={event => setClientId(event.currentTarget.value)}
      />
      <PasswordInput
        label="Client secret"
        description={isKept ? 'Left empty, it stays as it is' : 'It is kept encrypted and never shown again'}
        autoComplete="off"
        required={!isKept}
        value={secret}
        onChange={event => setSecret(event.currentTarget.value)}
      />
      <Textarea
        label="Groups and roles"
        description={`One a line, such as “Price buyers = buyer”; the first that fits counts at each sign-in. Roles: ${roles.join(', ')}`}
        autosize
        minRows={2}
        value={groups}
        error={read.wrong}
        onChange={event => setGroups(event.currentTarget.value)}
      />
      <TextInput
        label="People of this group join without an invitation, as viewers"
        value={joinGroup}
        onChange={event => setJoinGroup(event.currentTarget.value)}
      />
      {(groups.trim() !== '' || joinGroup !== '') && (
        <TextInput
          label="Claim with the groups"
          required
          value={claim}
          onChange={event => setClaim(event.currentTarget.value)}
        />
      )}
      <Checkbox
        label="Required: these people have no password"
        description="Their sessions by password end, and links lead through the provider"
        checked={isRequired}
        onChange={event => setRequired(event.currentTarget.checked)}
      />
      {isRequired && owners.length > 0 && (
        <Select
          label="The owner who keeps a password"
          description="So that a provider that does not work keeps nobody out for good"
          data={owners.map(({ email }) => email)}
          value={except}
          clearable
          onChange={setExcept}
        />
      )}
    </FormDialog>
  )
}

/** What is written, or the first line that cannot be read. */
function readGroups(text: string): {
  readonly groups: readonly { readonly group: string; readonly role: Role }[]
  readonly wrong: string | null
} {
  const groups: { group: string; role: Role }[] = []
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    const at = line.lastIndexOf('=')
    const role = roles.find(each => each === line.slice(at + 1).trim())
    if (at < 1 || role === undefined) return { groups, wrong: `“${line.trim()}” is not a group, = and a role` }
    groups.push({ group: line.slice(0, at).trim(), role })
  }
  return { groups, wrong: null }
}
