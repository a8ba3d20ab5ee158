// `demo --sso`: a stand-in provider of one of the demo's suppliers beside it, and the workspace set to it. Its people join when
// they first sign in, because they are in the group that may join.
import { randomBytes } from 'node:crypto'
import { type Config, publicUrlOf } from '../../config.ts'
import type { Demo } from '../../demo/make.ts'
import { demoParties } from '../../demo/people.ts'
import { type StandInPerson, startStandInProvider } from '../../demo/sso/stand-in-provider.ts'
import { clientSecrets } from '../../identity/identity-connections.ts'
import { setProvider } from '../../storage/identity/providers.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'

const group = 'Assize'
const people: readonly StandInPerson[] = [
  { subject: 'u-1001', name: 'Nora Vance', email: 'nora@supplier.test', groups: [group] },
  { subject: 'u-1002', name: 'Theo Lang', email: 'theo@supplier.test', groups: [group] },
]

export interface DemoSso {
  /** Configuration that serves the demo: the stand-in is on this machine. */
  readonly config: Config
  readonly issuer: string
  readonly company: string
  readonly address: string
  readonly people: readonly string[]
  close(): Promise<void>
}

export async function startDemoSso(
  { sql, ring }: Pick<Installation, 'sql' | 'ring'>,
  { workspace }: Pick<Demo, 'workspace'>,
  config: Config,
): Promise<DemoSso> {
  const { slug: party, name: company } = demoParties[0]!
  const client = { clientId: 'assize', clientSecret: randomBytes(24).toString('base64url') }
  const publicUrl = publicUrlOf(config)
  const port = config.port === 0 ? 0 : config.port + 1
  const standIn = await startStandInProvider({ port, company, people, publicUrl, ...client })
  const { issuer } = standIn
  const wanted = {
    party,
    issuer,
    ...client,
    isRequired: false,
    except: null,
    groupsClaim: 'groups',
    groups: [],
    joining: { group, role: 'supplier' as const },
  }
  const by = { who: 'operator', fromAddress: null }
  const { provider } = await setProvider(sql, workspace.id, wanted, clientSecrets(ring), by)
  return {
    config: { ...config, privateHosts: [...config.privateHosts, 'localhost'] },
    issuer,
    company,
    address: `${publicUrl}/sign-in?by=${provider.wayIn}`,
    people: people.map(({ name }) => name),
    close: () => standIn.close(),
  }
}

export function formatDemoSso({ address, company, people: names, issuer }: DemoSso): readonly string[] {
  return [
    `  by company  ${address}`,
    `              click “Continue with ${company}”, choose ${names.join(' or ')} at ${issuer}, and you are signed in;`,
    '              no password, no account made before. The stand-in is for this demo only.',
    '',
  ]
}
