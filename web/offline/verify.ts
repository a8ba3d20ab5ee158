// The page in an evidence package, opened from disk. It checks the copy of the files that is loaded with it at once, and the
// files themselves when their folder is chosen: a page on disk cannot open the files beside it. Nothing is sent.
import { visibleLines } from '../../src/core/text/foreign-text.ts'
import { stopped } from '../../src/core/text/sentence-end.ts'
import { decodeUtf8 } from '../../src/core/text/utf8.ts'
import { formatDate, signed } from '../../src/core/text/words.ts'
import { type CheckedPackage, type CheckedReceipt, checkPackage } from '../../src/formats/evidence/check.ts'
import type { CheckedCorrection } from '../../src/formats/evidence/check-corrections.ts'
import type { CheckedChange } from '../../src/formats/evidence/check-terms-changes.ts'
import { notProven } from '../../src/formats/evidence/log-words.ts'
import { copyPath, type EvidenceFiles, printedPath } from '../../src/formats/evidence/manifest.ts'
import {
  asSentence,
  changeSentences,
  formatState,
  packageHeading,
  problemsToShow,
  settledWords,
  signedWords,
} from '../../src/formats/evidence/package-words.ts'
import { formatInstant } from '../components/words/words.ts'

declare global {
  var assizeEvidence: unknown
}

type Child = Node | string

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children.map(child => (typeof child === 'string' ? visibleLines(child) : child)))
  return made
}

const main = document.getElementById('main')!

/** The copy loaded with the page; null if it is missing or damaged. */
function loadedCopy(): EvidenceFiles | null {
  const loaded = globalThis.assizeEvidence
  if (typeof loaded !== 'object' || loaded === null) return null
  const entries = Object.entries(loaded)
  return entries.every(([, text]) => typeof text === 'string') ? new Map(entries as [string, string][]) : null
}

const subtle = globalThis.crypto?.subtle

async function begin(): Promise<void> {
  const copy = loadedCopy()
  const checked = copy === null ? null : await checkPackage(copy, subtle)
  show(checked, null)
}

function show(checked: CheckedPackage | null, folder: CheckedPackage | null): void {
  const shown = folder ?? checked
  const body = shown?.manifest?.body
  const title = body === undefined ? 'Evidence' : `Evidence for ${body.agreement.name}`
  document.title = `${title} · Assize`
  const under =
    body === undefined
      ? []
      : [
          element(
            'p',
            { class: 'soft' },
            `${body.from} to ${body.to}, ${body.workspace.name}, ${stopped(body.installation.name ?? body.installation.id)} Made by ${body.madeBy}, ${formatInstant(body.madeAt)}.`,
          ),
        ]
  main.replaceChildren(
    element('h1', {}, title),
    ...under,
    element('div', { 'aria-live': 'polite' }, verdictOf(checked, folder)),
    choice(checked),
    ...(shown === null
      ? []
      : [
          partsTable(shown),
          receiptsTable(shown.receipts),
          ...correctionsTable(shown.corrections),
          ...changesTable(shown.changes),
          ...word(shown),
          trust(shown),
          ...settledTable(shown),
        ]),
  )
}

function verdictOf(checked: CheckedPackage | null, folder: CheckedPackage | null): HTMLElement {
  const box = (kind: string, heading: string, ...rest: readonly Child[]) =>
    element('section', { class: 'verdict', 'data-kind': kind }, element('h2', {}, heading), ...rest)
  const problems = problemsToShow([checked, folder])
  const list = element('ul', {}, ...problems.map(words => element('li', {}, words)))
  if (checked === null)
    return box(
      'bad',
      'This cannot be verified',
      element('p', {}, `${copyPath} is missing, damaged or from another package.`),
      list,
    )
  if (problems.length > 0)
    return box(
      'bad',
      packageHeading({ isGood: false, isChecked: checked.isChecked && folder?.isChecked !== false }),
      element('p', {}, 'Do not rely on this package:'),
      list,
    )
  if (folder === null)
    return box(
      'good',
      'Everything verifies',
      element(
        'p',
        {},
        'Every number was computed again, every signature checked, every file compared, from the copy that this page carries.',
      ),
      element('p', { class: 'soft' }, 'To check the files beside this page as well, choose their folder below.'),
    )
  return box('good', 'Everything verifies', element('p', {}, 'The files in the folder too, byte for byte.'))
}

function choice(checked: CheckedPackage | null): HTMLElement {
  const input = element('input', { type: 'file', id: 'folder', webkitdirectory: '', multiple: '' }) as HTMLInputElement
  input.addEventListener('change', async () => show(checked, await checkFolder([...(input.files ?? [])])))
  const label = element('label', { for: 'folder' }, 'The folder of this package: ')
  return element('div', { class: 'choose' }, label, input)
}

async function checkFolder(chosen: readonly File[]): Promise<CheckedPackage> {
  const files = new Map<string, string>()
  const unreadable: string[] = []
  let copy = ''
  for (const file of chosen) {
    const path = file.webkitRelativePath.split('/').slice(1).join('/') || file.name
    const text = decodeUtf8(new Uint8Array(await file.arrayBuffer()))
    if (text === null) unreadable.push(path)
    else if (path === copyPath) copy = text
    else files.set(path, text)
  }
  return checkPackage(files, subtle, { copy, unreadable })
}

function table(columns: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  const head = columns.map(each =>
    element('th', each.startsWith('#') ? { class: 'n', scope: 'col' } : { scope: 'col' }, each.replace('#', '')),
  )
  return element(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': columns[0]! },
    element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)),
  )
}

function partsTable({ parts }: CheckedPackage): HTMLElement {
  const rows = parts.map(({ title, words, problems }) =>
    element(
      'tr',
      {},
      element('td', {}, title),
      element('td', {}, words),
      element(
        'td',
        { class: problems.length === 0 ? 'good' : 'bad' },
        problems.length === 0 ? 'good' : `${problems.length} wrong`,
      ),
    ),
  )
  return element('section', {}, element('h2', {}, 'What was checked'), table(['Part', 'Found', 'Verdict'], rows))
}

function signedLines(words: readonly string[]): HTMLElement[] {
  return words.map(each => element('p', {}, each))
}

function receiptsTable(receipts: readonly CheckedReceipt[]): HTMLElement {
  const rows = receipts.map(({ name, verdict, problems }) => {
    const body = verdict?.receipt.body
    const { adjustmentPct = null, price } = body?.result ?? {}
    return element(
      'tr',
      {},
      element('td', {}, element('a', { href: printedPath(name) }, name)),
      element('td', { class: 'n' }, adjustmentPct === null ? '' : `${signed(adjustmentPct)} %`),
      element('td', { class: 'n' }, price ?? ''),
      element('td', {}, ...signedLines(signedWords(verdict?.signatures ?? [], body?.parties))),
      element(
        'td',
        { class: problems.length === 0 ? 'good' : 'bad' },
        problems.length === 0 ? 'computed again: same' : problems[0]!,
      ),
    )
  })
  const columns = ['Receipt', '#Adjustment', '#Price', 'Signed by', 'Verdict']
  return element('section', {}, element('h2', {}, 'The numbers'), table(columns, rows))
}

function correctionsTable(corrections: readonly CheckedCorrection[]): readonly HTMLElement[] {
  if (corrections.length === 0) return []
  const rows = corrections.map(({ id, record, verdict, problems }) => {
    const body = verdict?.correction.body
    const net = body?.net == null ? '' : `${body.net} ${body.currency}${body.waived ? ', waived' : ''}`
    return element(
      'tr',
      {},
      element('td', {}, body?.periods.map(({ period }) => period).join(', ') ?? id),
      element('td', { class: 'n' }, net),
      element('td', {}, formatState(record?.state ?? '')),
      element('td', {}, ...signedLines(signedWords(verdict?.signatures ?? [], body?.parties))),
      element(
        'td',
        { class: problems.length === 0 ? 'good' : 'bad' },
        problems.length === 0 ? 'computed again: same' : problems[0]!,
      ),
    )
  })
  const columns = ['Correction of', '#Net', 'State', 'Signed by', 'Verdict']
  return [element('section', {}, element('h2', {}, 'The corrections'), table(columns, rows))]
}

function changesTable(changes: readonly CheckedChange[]): readonly HTMLElement[] {
  if (changes.length === 0) return []
  const rows = changes.map(each => {
    const { verdict, problems } = each
    return element(
      'tr',
      {},
      element('td', {}, changeSentences(each, formatDate)),
      element('td', {}, ...signedLines(signedWords(verdict?.signatures ?? [], verdict?.change.body.parties))),
      element(
        'td',
        { class: problems.length === 0 ? 'good' : 'bad' },
        problems.length === 0 ? 'follows from its figures' : problems[0]!,
      ),
    )
  })
  const columns = ['Change of terms', 'Signed by', 'Verdict']
  return [element('section', {}, element('h2', {}, 'The changes of terms'), table(columns, rows))]
}

/** Settled prices, at the end because everything comes to them. */
function settledTable(checked: CheckedPackage): readonly HTMLElement[] {
  if (!checked.isGood) return []
  const lines = settledWords(checked, formatDate).map(words => element('li', {}, words))
  return [element('section', {}, element('h2', {}, 'Settled numbers'), element('ul', {}, ...lines))]
}

/**
 * Verdict: what the log proves and by whose word, what is left to OpenSSL, what rests on the operator's word, and what nothing
 * here shows.
 */
function word({ proven, leftToOpenSsl, operatorsWord }: CheckedPackage): HTMLElement[] {
  const list = (title: string, words: readonly string[]) =>
    words.length === 0
      ? []
      : [
          element(
            'section',
            {},
            element('h2', {}, title),
            element('ul', {}, ...words.map(each => element('li', {}, each))),
          ),
        ]
  return [
    ...list('In the log', proven.map(asSentence)),
    ...list('Left to OpenSSL', leftToOpenSsl),
    ...list('On the operator’s word', operatorsWord.map(asSentence)),
    ...list('Not proven by anything here', notProven.map(asSentence)),
  ]
}

/** Limits of a page that speaks about itself. */
function trust({ manifest }: CheckedPackage): HTMLElement {
  const key = manifest === null ? '' : `ed25519:${manifest.seal.publicKey}`
  return element(
    'section',
    {},
    element('h2', {}, 'Checks left to you'),
    element(
      'p',
      {},
      'The owner of the key: compare the key with the one that the installation publishes under /.well-known/assize-keys.json, or with one that you received another way.',
    ),
    element('p', {}, element('code', {}, key)),
    element(
      'p',
      { class: 'soft' },
      'The origin of this page: the command assize verify, and the page /verify of an installation that you trust, check the package without it.',
    ),
  )
}

void begin()
