// The demo workspace: created if it does not exist, otherwise found and left unchanged. Returns the credentials for it.
import { join } from 'node:path'
import { Seal } from '../agreements/seal.ts'
import { Refusal } from '../core/refusal.ts'
import type { Instant } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import { FileLock } from '../storage/embedded/file-lock.ts'
import { KeyedDigests } from '../storage/keys/key-ring.ts'
import { addOperator, listOperators } from '../storage/people/operators.ts'
import { verifyPassword } from '../storage/people/password.ts'
import { createMember, findAccount, findMember, setFirstPassword } from '../storage/people/people.ts'
import { type Sql, withWorkspace } from '../storage/postgres/database.ts'
import { loadSeriesOfWorkspace } from '../storage/series/own-series.ts'
import type { Installation } from '../storage/upkeep/installation.ts'
import { webhookSecrets } from '../storage/webhooks/webhook-secrets.ts'
import { createWebhook, disableWebhook, type WebhookContext } from '../storage/webhooks/webhooks.ts'
import { createApiKey, findApiKey, isLive } from '../storage/workspaces/api-keys.ts'
import { createWorkspace, listWorkspaces, type Workspace } from '../storage/workspaces/workspaces.ts'
import { checkClock, fill, isFilled } from './content.ts'
import {
  type Credentials,
  credentialsFile,
  ensureFolder,
  makePassword,
  readCredentials,
  replaceCredentials,
} from './credentials.ts'
import { type DemoPerson, demoPeople, owner as operator, portfolioParties } from './people.ts'
import { fillPortfolio, newestOfPortfolio, type OnProgress } from './portfolio/fill.ts'

interface SignIn extends DemoPerson {
  /** `null` if it was changed, or set by another installation of the demo. */
  readonly password: string | null
  /** Operator of the installation: sees all providers, and decides on public series. */
  readonly isOperator: boolean
}

export interface Demo {
  readonly workspace: Workspace
  /** Whether this start filled it. */
  readonly isNew: boolean
  readonly key: string
  readonly signIns: readonly SignIn[]
  /** The id of the series whose vintages are worth a look. */
  readonly steelSeriesId: string
}

export type DemoInstallation = Pick<Installation, 'sql' | 'owner' | 'ring'>

const slug = 'demo'
const workspaceName = 'Demo GmbH'

/** A demo at the size of a portfolio. */
interface Portfolio {
  /** The least number of agreements in the end; further suppliers come with them. */
  readonly agreements: number
  readonly onProgress: OnProgress
}

/** `folder` keeps the credentials; two starts at once take turns. */
export async function makeDemo(
  place: DemoInstallation,
  folder: string,
  now: Instant,
  portfolio: Portfolio | null = null,
): Promise<Demo> {
  await ensureFolder(folder)
  const turn = await FileLock.wait(join(folder, 'demo.lock'), 'alone', limits.embeddedTurnMs)
  try {
    return await make(place, folder, now, portfolio)
  } finally {
    turn.release()
  }
}

async function make(
  { sql, owner, ring }: DemoInstallation,
  folder: string,
  now: Instant,
  portfolio: Portfolio | null,
): Promise<Demo> {
  const seal = new Seal(ring)
  const found = await find(owner, folder)
  const isNew = found === null || !(await isFilled({ sql, seal, workspaceId: found.id }))
  if (isNew) checkClock(now)
  if (portfolio !== null) checkClock(now, newestOfPortfolio)
  const workspace = found ?? (await createWorkspace(owner, { slug, name: workspaceName }))
  const { id: workspaceId } = workspace
  const people = await peopleOf(sql, workspaceId, portfolio !== null)
  const { key, passwords } = await open(
    sql,
    new KeyedDigests(ring, 'api-key digests'),
    workspaceId,
    folder,
    now,
    people,
  )
  const ground = { sql, seal, workspaceId }
  if (isNew) await fill(ground, now)
  if (portfolio !== null) await fillPortfolio(ground, now, portfolio.agreements, portfolio.onProgress)
  if (isNew) await addWebhook({ sql, secrets: webhookSecrets(ring), now: () => now }, workspaceId)
  if (isNew) await addOperator(owner, operator.email, { workspaceId, by: 'demo' })
  const { own } = await withWorkspace(sql, workspaceId, tx => loadSeriesOfWorkspace(tx, workspaceId))
  const signIns = await Promise.all(people.map(person => trySignIn(sql, workspaceId, person, passwords)))
  return { workspace, isNew, key, signIns, steelSeriesId: own.get('BLS/WPU101')!.id }
}

/** Adds a webhook that shows how one looks and sends nothing: it is disabled, and its address is nobody's. */
async function addWebhook(ground: WebhookContext, workspaceId: string): Promise<void> {
  const by = { who: operator.email, fromAddress: null }
  const url = 'https://erp.example/hooks/assize'
  const events = ['agreed', 'correction', 'adjustment.computable', 'release.late'] as const
  const { id } = await createWebhook(ground, { workspaceId, url, events, by })
  await disableWebhook(ground, workspaceId, id, by)
}

/** Finds the demo by its slug; its people may have renamed it, and then the credentials file shows that it is the demo. */
async function find(owner: Sql, folder: string): Promise<Workspace | null> {
  const found = (await listWorkspaces(owner)).find(each => each.slug === slug) ?? null
  if (found === null || found.name === workspaceName) return found
  if ((await readCredentials(credentialsFile(folder, found.id))) === null)
    throw new Refusal(
      'conflict',
      `the workspace "${slug}" (${found.name}) is not the demo's: start the demo with another ASSIZE_DATA or database`,
    )
  return found
}

/** People of the demo, with those of the further suppliers if they are wanted or are there already. */
async function peopleOf(sql: Sql, workspaceId: string, isPortfolio: boolean): Promise<readonly DemoPerson[]> {
  const further = portfolioParties.map(({ person }) => person)
  const isThere = isPortfolio || (await findMember(sql, workspaceId, further[0]!.email)) !== null
  return isThere ? [...demoPeople, ...further] : demoPeople
}

/** Opens the demo: afterwards everybody is a member with a password, and there is a key. */
async function open(
  sql: Sql,
  digests: KeyedDigests,
  workspaceId: string,
  folder: string,
  now: Instant,
  people: readonly DemoPerson[],
): Promise<Credentials> {
  const file = credentialsFile(folder, workspaceId)
  const known = await readCredentials(file)
  const newcomers: { readonly id: string; readonly email: string }[] = []
  for (const person of people) {
    const member = (await findMember(sql, workspaceId, person.email)) ?? (await createMember(sql, workspaceId, person))
    if ((await findAccount(sql, member.id)) === null) newcomers.push(member)
  }
  const fresh = Object.fromEntries(newcomers.map(({ email }) => [email, makePassword()]))
  const key = await keepKey(sql, digests, workspaceId, known, now)
  const credentials = { key, passwords: { ...known?.passwords, ...fresh } }
  // Credentials are stored before they are set: otherwise a password could be lost for good.
  if (key !== known?.key || newcomers.length > 0) await replaceCredentials(file, credentials)
  for (const { id, email } of newcomers) await setFirstPassword(sql, workspaceId, id, fresh[email]!)
  return credentials
}

/** The key of the file while it is valid; a revoked or unknown one is replaced. */
async function keepKey(
  sql: Sql,
  digests: KeyedDigests,
  workspaceId: string,
  known: Credentials | null,
  now: Instant,
): Promise<string> {
  const access = known === null ? null : await findApiKey(sql, digests, known.key)
  if (access !== null && access.workspaceId === workspaceId && isLive(access, now)) return known!.key
  const { key } = await createApiKey(sql, digests, { workspaceId, name: 'demo', expiresAt: null, scope: 'money' })
  return key
}

async function trySignIn(
  sql: Sql,
  workspaceId: string,
  person: DemoPerson,
  passwords: Credentials['passwords'],
): Promise<SignIn> {
  const { id } = (await findMember(sql, workspaceId, person.email))!
  const isOperator = (await listOperators(sql)).some(({ personId }) => personId === id)
  const password = passwords[person.email]
  if (password === undefined) return { ...person, isOperator, password: null }
  const opens = await verifyPassword((await findAccount(sql, id))?.passwordHash ?? null, password)
  return { ...person, isOperator, password: opens ? password : null }
}
