// Account that the embedded PostgreSQL runs under. PostgreSQL refuses uid 0, so for root a user namespace is tried first (the
// files stay root's own, in any folder), then another account of the machine. No account is ever made or changed here.
import { execFile } from 'node:child_process'
import { chown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Refusal } from '../../core/refusal.ts'

export type Account =
  | { readonly kind: 'own' }
  | { readonly kind: 'namespace'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'other'; readonly uid: number; readonly gid: number }

interface Invocation {
  readonly command: string
  readonly args: readonly string[]
  readonly ids: { readonly uid?: number; readonly gid?: number }
}

interface AccountEntry {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The programs found without asking the environment. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export async function chooseAccount(): Promise<Account> {
  const uid = process.getuid?.()
  const entries = await readAccounts()
  if (uid !== 0 && (process.platform !== 'linux' || entries.some(entry => entry.uid === uid))) return { kind: 'own' }
  const mapped = entries.find(entry => entry.uid === 1000) ?? entries.find(entry => entry.uid > 1000) ?? entries[0]
  if (process.platform === 'linux' && mapped !== undefined) {
    const account = { kind: 'namespace', uid: mapped.uid, gid: mapped.gid } as const
    if (await runs(invoke(account, 'true', []))) return account
  }
  // An account without a name, as containers have: initdb reports it if that is a problem.
  if (uid !== 0) return { kind: 'own' }
  const named = (name: string) => entries.find(entry => entry.name === name)
  const other = named('postgres') ?? named('nobody') ?? mapped
  if (other !== undefined) return { kind: 'other', uid: other.uid, gid: other.gid }
  throw new Refusal('unavailable', `${whyNotRoot}; this machine has no other account: ${wayOut}`)
}

const whyNotRoot = 'PostgreSQL does not run as root, and user namespaces (unshare --user) are not allowed here'
const wayOut = 'run Assize as an ordinary user, or set DATABASE_URL'

/** initdb needs the account's name, so a number without one is not enough. */
async function readAccounts(): Promise<readonly AccountEntry[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => fields.length >= 4)
    .map(([name = '', , uid = '', gid = '']) => ({
      name,
      uid: Number.parseInt(uid, 10),
      gid: Number.parseInt(gid, 10),
    }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0)
}

export function invoke(account: Account, command: string, args: readonly string[]): Invocation {
  if (account.kind === 'own') return { command, args, ids: {} }
  if (account.kind === 'other') return { command, args, ids: { uid: account.uid, gid: account.gid } }
  const mapping = ['--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`, '--']
  return { command: 'unshare', args: [...mapping, command, ...args], ids: {} }
}

async function runs({ command, args }: Invocation): Promise<boolean> {
  try {
    await promisify(execFile)(command, [...args], { env: { PATH: systemPath }, timeout: 5_000 })
    return true
  } catch {
    return false
  }
}

function ownerOf(account: Account): number | null {
  return account.kind === 'other' ? account.uid : (process.getuid?.() ?? null)
}

/** Gives a folder of ours to the account, where it was left by a run under another one. */
export async function own(folder: string, account: Account): Promise<void> {
  const wanted = ownerOf(account)
  const { uid } = await stat(folder)
  if (wanted === null || uid === wanted) return
  if (account.kind === 'own')
    throw new Refusal(
      'unavailable',
      `${folder} belongs to uid ${uid} and this process runs as uid ${wanted}: run Assize as that user, or give it the folder (chown -R ${wanted} ${dirname(folder)})`,
    )
  await chownTree(folder, wanted, account.kind === 'other' ? account.gid : 0)
}

async function chownTree(path: string, uid: number, gid: number): Promise<void> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) return
  if (found.isDirectory()) for (const name of await readdir(path)) await chownTree(join(path, name), uid, gid)
  await chown(path, uid, gid)
}

/** The innermost folder on the way to `path` that the account may not enter, or `null`. */
export async function findClosedFolder(path: string, account: Account): Promise<string | null> {
  if (account.kind !== 'other') return null
  for (let folder = path; ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return folder
    if (folder === dirname(folder)) return null
  }
}

export function refuseClosedFolder(closed: string, account: Account): Refusal {
  const uid = account.kind === 'other' ? account.uid : 0
  return new Refusal(
    'unavailable',
    `${whyNotRoot}; uid ${uid}, tried instead, may not enter ${closed}: set ASSIZE_DATA to a folder that others may enter (such as /var/lib/assize), ${wayOut}`,
  )
}
