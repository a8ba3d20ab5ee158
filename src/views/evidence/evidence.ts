// The evidence package of an agreement over a range of periods, as one ZIP: receipts, printable pages, formula versions, vintages,
// sign-offs, objections, corrections, changes of terms, activity, the part of the chain, and a page that checks all of it offline.
// Its content is that of a person's pages: a supplier's has no activity and no part of the chain. Made in a worker, within bounds.
import { readFile } from 'node:fs/promises'
import { deflateRawSync } from 'node:zlib'
import { formatCancelled } from '../../core/calendar/cancelled-words.ts'
import { formatPeopleEvent } from '../../core/people/people-event.ts'
import type { Receipt } from '../../core/receipt/receipt.ts'
import { Refusal } from '../../core/refusal.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { sha256 } from '../../core/text/sha256.ts'
import { parseDay } from '../../core/time/day.ts'
import { formatManifest } from '../../formats/evidence/check.ts'
import { lastDateOf } from '../../formats/evidence/check-terms-changes.ts'
import { correctionsPath, correctionsTablePath } from '../../formats/evidence/corrections.ts'
import { logPath, stampCommandsIn } from '../../formats/evidence/log-file.ts'
import {
  activityPath,
  agreementPath,
  chainPath,
  companyPath,
  copyPath,
  evidenceFormat,
  formatCopy,
  hashOfManifest,
  listFiles,
  type ManifestBody,
  manifestPath,
  peoplePath,
  printedPath,
  readMePath,
  receiptName,
  receiptPath,
  sealedText,
  tablePaths,
  verifierPath,
  verifyPath,
} from '../../formats/evidence/manifest.ts'
import { printedPage } from '../../formats/evidence/printed-page.ts'
import { settledPath, settledPeriods, settledTable } from '../../formats/evidence/settled-periods.ts'
import { type NamedReceipt, objectionsTable, signOffsTable, vintagesTable } from '../../formats/evidence/tables.ts'
import { changesPath, changesTablePath } from '../../formats/evidence/terms-changes.ts'
import { formatWords, wordsPath } from '../../formats/evidence/words-file.ts'
import { type Cell, formatCsv } from '../../formats/sheet.ts'
import { makeZip } from '../../formats/zip.ts'
import { limits } from '../../limits.ts'
import type { PeriodEntry } from '../../read/agreements/adjustments.ts'
import { partyObjection, partySignature } from '../../read/agreements/receipt-attachments.ts'
import { type FormulaVersion, loadWords } from '../../storage/agreements/agreements.ts'
import { loadChainPart } from '../../storage/log/chain-part.ts'
import { loadCompanies } from '../../storage/people/parties.ts'
import { loadPeopleEvents } from '../../storage/people/people-events.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { listActivity, type NotedActivity } from '../../storage/workspaces/activity.ts'
import { type OpenedAgreement, openAgreement } from '../agreements/opened-agreement.ts'
import { cancelledFigures } from '../agreements/preliminary.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { visibleVersions } from '../sight/visibility.ts'
import { addCorrections } from './evidence-corrections.ts'
import { addLog, signedEntry } from './evidence-log.ts'
import { addTermsChanges } from './evidence-terms-changes.ts'

interface EvidenceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Days of adjustments, both included; left out, from the first or to the last. */
interface EvidenceRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export async function makeEvidence(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  range: EvidenceRange,
): Promise<EvidenceFile> {
  const at = await openAgreement(parts, seat, slug)
  if (at.adjustments === null) throw new Refusal('not-found', at.gap?.sentence ?? 'nothing can be computed')
  const entries = entriesIn(at, range)
  const receipts = receiptsOf(parts, at, entries)
  const files = new Map<string, string>()
  for (const { name, receipt } of receipts) files.set(receiptPath(name), `${JSON.stringify(receipt, null, 2)}\n`)
  files.set(tablePaths.vintages, vintagesTable(receipts))
  files.set(tablePaths.signOffs, signOffsTable(receipts))
  files.set(tablePaths.objections, objectionsTable(receipts))
  const seen = visibleVersions(seat, at.snapshot)
  const versions = at.snapshot.kept.versions.filter(({ version }) => seen.has(version))
  for (const { version, documentText } of versions) files.set(agreementPath(version), documentText)
  await addWords(parts, seat, at, versions, files)
  const chain = seat.role === 'supplier' ? null : await addRecords(parts, seat, at, files)
  const chainedAt = chain?.entries.at(-1)?.recordedAt ?? null
  const periods = new Set(entries.map(({ period }) => period))
  const corrections = await addCorrections(parts, seat, at, { periods, chainedAt }, files)
  const changed = await addTermsChanges(parts, seat, at, { until: lastDateOf(receipts), chainedAt }, files)
  const settled = settledPeriods(receipts, corrections.named)
  files.set(settledPath, settledTable(settled))
  for (const each of receipts) files.set(printedPath(each.name), printedPage(each, settled))
  await addCompanies(parts, seat, receipts, files)
  const signed = at.standing.signOffs.filter(({ period }) => periods.has(period)).map(signedEntry)
  await addLog(parts, seat, [...signed, ...corrections.signed, ...changed], chain, files)
  files.set(verifierPath, await readVerifier())
  files.set(readMePath, readMe(at, entries, files, await cancelledReleases(parts, seat, at, entries)))
  files.set(verifyPath, await readVerifyPage())
  const [first, last] = [entries[0]!, entries.at(-1)!]
  const body: ManifestBody = {
    format: evidenceFormat,
    installation: first.body.installation ?? { id: '', name: null },
    workspace: { slug: seat.workspace.slug, name: seat.workspace.name },
    agreement: { slug, name: at.standing.state.name },
    from: first.period,
    to: last.period,
    madeAt: parts.now(),
    madeBy: seat.person.email,
    files: listFiles(files),
  }
  const hash = hashOfManifest(body)
  files.set(manifestPath, formatManifest({ body, hash, seal: parts.seal.sign(sealedText(hash)) }))
  const copy = formatCopy(files)
  const size = [...files.values(), copy].reduce((sum, text) => sum + text.length, 0)
  if (size > limits.evidence.characters)
    throw new Refusal(
      'invalid',
      `the package would have ${size} characters, and may have at most ${limits.evidence.characters}; choose fewer periods`,
    )
  const folder = `evidence-${slug}-${first.period}${last === first ? '' : `-to-${last.period}`}`
  const packed = [...files, [copyPath, copy] as const].map(([path, text]) => [`${folder}/${path}`, text] as const)
  return { name: `${folder}.zip`, bytes: makeZip(Object.fromEntries(packed), deflateRawSync) }
}

function entriesIn(at: OpenedAgreement, { from, to }: EvidenceRange): readonly PeriodEntry[] {
  const dayOf = (text: string | undefined, name: string) => {
    if (text === undefined) return null
    const day = parseDay(text)
    if (day === null) throw new Refusal('invalid', `${name} must be a day such as 2024-04-01, got "${text}"`)
    return day
  }
  const [first, last] = [dayOf(from, 'from'), dayOf(to, 'to')]
  if (first !== null && last !== null && first > last) throw new Refusal('invalid', 'from must not be after to')
  const entries = at
    .adjustments!.entries(at.today)
    .filter(({ date }) => (first === null || date >= first) && (last === null || date <= last))
  if (entries.length === 0) throw new Refusal('not-found', 'no period of this agreement is in that range')
  if (entries.length > limits.evidence.periods)
    throw new Refusal(
      'invalid',
      `a package has at most ${limits.evidence.periods} periods, and these are ${entries.length}; choose fewer`,
    )
  return entries
}

/** Receipts of every period, and of every earlier number that was signed or objected to. */
function receiptsOf(
  { seal }: ViewContext,
  { standing }: OpenedAgreement,
  entries: readonly PeriodEntry[],
): readonly (NamedReceipt & { readonly receipt: Receipt })[] {
  return entries.flatMap(entry => {
    const older = standing.kept.filter(({ period, hash }) => period === entry.period && hash !== entry.hash)
    return [
      { name: receiptName(entry.period, null), receipt: seal.issue(entry) },
      ...older.map(({ period, hash, body }) => {
        const given = standing.signOffs.filter(each => each.period === period && each.receiptHash === hash)
        const objections = standing.objections.filter(each => each.period === period).map(partyObjection)
        const receipt = seal.issue({ hash, body: body(), signatures: given.map(partySignature), objections })
        return { name: receiptName(period, hash), receipt }
      }),
    ]
  })
}

async function addWords(
  { installation }: ViewContext,
  { workspace }: Seat,
  { snapshot }: OpenedAgreement,
  versions: readonly Pick<FormulaVersion, 'version' | 'wordsHash'>[],
  files: Map<string, string>,
): Promise<void> {
  const wanted = versions
    .filter(({ wordsHash }) => wordsHash !== null)
    .map(({ version }) => ({ agreementId: snapshot.id, version }))
  if (wanted.length === 0) return
  const words = await withWorkspace(
    installation.sql,
    workspace.id,
    tx => loadWords(tx, workspace.id, wanted),
    'snapshot',
  )
  files.set(wordsPath, formatWords(words))
}

/** Records for people inside the workspace alone: activity, and the chain with the contents of its hashes. */
async function addRecords(
  { installation }: ViewContext,
  { workspace }: Seat,
  { snapshot }: OpenedAgreement,
  files: Map<string, string>,
): Promise<Awaited<ReturnType<typeof loadChainPart>>> {
  const request = { before: null, most: limits.evidence.activities, filter: { agreement: snapshot.slug } }
  files.set(activityPath, activityTable(await listActivity(installation.sql, workspace.id, request)))
  const part = await withWorkspace(
    installation.sql,
    workspace.id,
    tx => loadChainPart(tx, workspace.id, snapshot.id),
    'snapshot',
  )
  files.set(chainPath, `${JSON.stringify({ scope: workspace.id, ...part }, null, 2)}\n`)
  return part
}

/** Companies on the sides of these receipts; a supplier gets its own alone. */
async function addCompanies(
  { installation, seal }: ViewContext,
  { workspace, role, company }: Seat,
  receipts: readonly NamedReceipt[],
  files: Map<string, string>,
): Promise<void> {
  const sides = receipts.flatMap(({ receipt: { body } }) => Object.values(body.parties ?? {}))
  const slugs = [...new Set(sides.filter(side => typeof side === 'string'))].sort()
  const rows: Cell[][] = []
  await withWorkspace(
    installation.sql,
    workspace.id,
    async tx => {
      const known = new Map((await loadCompanies(tx, workspace.id)).map(each => [each.slug, each.id]))
      for (const slug of slugs) {
        const id = known.get(slug)
        if (id === undefined || (role === 'supplier' && slug !== company)) continue
        const part = await loadChainPart(tx, workspace.id, id)
        files.set(companyPath(slug), `${JSON.stringify({ scope: workspace.id, ...part }, null, 2)}\n`)
        for (const event of await loadPeopleEvents(tx, workspace.id, { party: slug }, seal.rows))
          rows.push([event.at, slug, event.email, event.kind, formatPeopleEvent(event), event.by, event.from])
      }
    },
    'snapshot',
  )
  const head = ['at', 'company', 'person', 'kind', 'what', 'by', 'from which side']
  if (rows.length > 0) files.set(peoplePath, formatCsv({ name: 'people', head, rows }))
}

function activityTable(rows: readonly NotedActivity[]): string {
  return formatCsv({
    name: 'activity',
    head: ['at', 'who', 'what', 'of what', 'from'],
    rows: rows.map(({ at, who, what, subject, fromAddress }) => [
      at,
      who,
      what,
      subject,
      fromAddress ?? 'command line',
    ]),
  })
}

/** Cancelled releases of figures that numbers of the package do without, in the words of the command `due`. */
async function cancelledReleases(
  parts: ViewContext,
  seat: Seat,
  at: Awaited<ReturnType<typeof openAgreement>>,
  entries: readonly PeriodEntry[],
): Promise<readonly string[]> {
  const told: string[] = []
  for (const entry of entries) {
    const cancelled = await cancelledFigures(parts, seat, at, entry, noCuts)
    told.push(
      ...cancelled.map(each => `${entry.period}: ${formatCancelled({ ...each, series: each.series.reference })}`),
    )
  }
  return told
}

function readMe(
  { standing, snapshot }: OpenedAgreement,
  entries: readonly PeriodEntry[],
  files: ReadonlyMap<string, string>,
  cancelled: readonly string[],
): string {
  const has = (path: string, words: string) => (files.has(path) ? [`${path.padEnd(18)} ${words}`] : [])
  return [
    `Evidence for ${standing.state.name} (${snapshot.slug}), ${entries[0]!.period} to ${entries.at(-1)!.period}`,
    '',
    'Open verify.html in a browser. It needs no connection and sends nothing: it computes every number again,',
    'checks every signature and compares every file with the sealed list.',
    '',
    'Or run python3 assize_verify.py on the ZIP. It was written independently, from the description of the formats alone.',
    `Its SHA-256 is ${sha256(files.get(verifierPath)!)}; compare it with the one in the README of Assize.`,
    '',
    'receipts/          every number with the figures behind it; "before" has numbers that were signed or disputed and have changed',
    'pages/             the numbers to read and to print',
    'formulas/          the versions of the formula as they were written',
    ...has(wordsPath, 'the contract’s own words that versions of the formula have'),
    ...has(tablePaths.vintages, 'every figure used, with when it was published and when it was recorded'),
    ...has(tablePaths.signOffs, 'who signed what, when and how'),
    ...has(tablePaths.objections, 'objections and answers'),
    ...has(settledPath, 'what both parties agreed for each period, corrections included'),
    'corrections/       corrections of signed prices, each with the receipts it names; none if it is not there',
    ...has(correctionsPath, 'what happened to each of them'),
    ...has(correctionsTablePath, 'the same as a table, with signatures and notes'),
    'terms-changes/     changes of the terms that these periods rest on, as they were signed; none if it is not there',
    ...has(changesPath, 'what happened to each of them'),
    ...has(changesTablePath, 'the same as a table, with signatures'),
    ...has(peoplePath, 'what was done about the people of the companies, and by whom'),
    ...has(activityPath, 'who did what to this agreement'),
    ...has(chainPath, 'its part of the chain of entries, with what each hash covers'),
    ...has(
      logPath,
      'the public log: checkpoints, who cosigned them, time stamps; slips/ show that each signature is in it',
    ),
    ...([...files.keys()].some(path => path.startsWith('companies/'))
      ? ['companies/         the part of the chain about each company: its people and the lists it confirmed']
      : []),
    'manifest.json      every file with its hash, under the seal of the installation',
    'verify-data.js     the same files once more, for verify.html',
    ...stampWords(files.get(logPath)),
    '',
    ...(cancelled.length === 0
      ? []
      : ['Releases that the provider cancelled, as known when this was made:', ...cancelled, '']),
  ].join('\n')
}

/** Commands with which OpenSSL checks the time stamps of the log. */
function stampWords(log: string | undefined): string[] {
  const commands = log === undefined ? [] : stampCommandsIn(log)
  if (commands.length === 0) return []
  return [
    '',
    'Who made the time stamps in log.json is left to OpenSSL. Until it was asked they prove nothing. Put the certificate of the root of',
    'the authority, which you get from the authority, into root.pem in this folder, and run, for each:',
    ...commands.flatMap(command => ['', command]),
  ]
}

const verifyFile = new URL('../../../web/dist/offline/verify.html', import.meta.url)
const verifierFile = new URL('../../../verifier/assize_verify.py', import.meta.url)

/** A second verifier, written from the description of the formats alone, for readers who do not want to rely on Assize. */
async function readVerifier(): Promise<string> {
  return readFile(verifierFile, 'utf8').catch(() => {
    throw new Refusal('unavailable', 'the second verifier, verifier/assize_verify.py, is not installed')
  })
}

async function readVerifyPage(): Promise<string> {
  return readFile(verifyFile, 'utf8').catch(() => {
    throw new Refusal('unavailable', 'the page that checks a package is not built; run npm run build')
  })
}
