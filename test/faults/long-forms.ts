// Test files in their long form: with many times the random draws of `npm test`, and with every form of what differs only in
// data there. They run as they do in the suite, in a process of their own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clientsFault } from './api-faults.ts'
import type { Fault, FaultRun } from './fault.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** The rounds are how many times the draws of `npm test` are made. */
function longForm(words: string, ...files: readonly string[]): Fault {
  return { id: 'long form', words, rounds: 10, run: run => runFiles(files, run) }
}

async function runFiles(files: readonly string[], { rounds, seed }: FaultRun) {
  const env = { ...process.env, ASSIZE_LONG_FORM: `${Math.max(2, rounds)}`, ASSIZE_TEST_SEED: `${seed}` }
  // Draws take their time; nothing here is judged by it.
  const words = [vitest, 'run', '--testTimeout', '0', '--hookTimeout', '0', ...files]
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: 'inherit' })
  const [status] = (await once(child, 'exit')) as [number | null]
  return { summary: `${files.length} files`, failures: status === 0 ? [] : [`the tests ended with status ${status}`] }
}

export const bothSidesFault: Fault = {
  ...longForm(
    'every act of each role on a contract whose terms both change, before and after signatures',
    'test/storage/both-sides.test.ts',
  ),
  id: 'F37',
}

export const longForms: Readonly<Record<string, Fault>> = {
  clients: clientsFault,
  properties: longForm(
    'random clauses, steps, readings, sums, ties, narratives, round trips, histories, damaged documents, calendars and portfolios',
    'test/properties',
    'src/core/proof/merkle-proof.test.ts',
    'test/documents/mutations.test.ts',
    'test/providers/calendar-mutation.test.ts',
    'src/providers/shared-specimens-json.test.ts',
    'test/storage/stored-ledgers.test.ts',
    'test/console/upload-effects.test.ts',
    'test/console/what-waits.test.ts',
  ),
  'every-page': longForm(
    'every page in every state, light, dark and narrow, every dialog in both, every page as every supplier, 500 contracts and 20,000 formulas',
    'test/browser/accessibility.test.ts',
    'test/browser/accessibility-dialogs.test.ts',
    'test/browser/accessibility-keyboard.test.ts',
    'test/browser/many-contracts.test.ts',
    'test/browser/suppliers.test.ts',
    'test/console/many-agreements.test.ts',
    'test/console/many-formulas.test.ts',
  ),
  stories: longForm(
    'stories in browsers whose proof `npm test` has in a cheaper form, with those they continue',
    'test/browser/builder.test.ts',
    'test/browser/client.test.ts',
    'test/browser/company-people.test.ts',
    'test/browser/company-sign-in.test.ts',
    'test/browser/daily-work.test.ts',
    'test/browser/evidence.test.ts',
    'test/browser/failing-well.test.ts',
    'test/browser/invoices.test.ts',
    'test/browser/keys-and-people.test.ts',
    'test/browser/mail.test.ts',
    'test/browser/objections.test.ts',
    'test/browser/passkeys.test.ts',
    'test/browser/series.test.ts',
    'test/browser/sign-off.test.ts',
    'test/browser/smoothness.test.ts',
    'test/browser/true-up.test.ts',
  ),
  packages: longForm(
    'every package that tests make, by both verifiers, and ten changed bytes of each file',
    'test/cli/verify-package.test.ts',
    'test/cli/verify-package-archive.test.ts',
    'test/cli/verify-package-log.test.ts',
    'test/cli/verify-package-terms.test.ts',
    'test/verifier/foreign-text.test.ts',
    'test/console/evidence.test.ts',
  ),
  'every-status': longForm(
    'every console route as every supplier, in every status of an agreement',
    'test/console/changed-supplier.test.ts',
    'test/console/suppliers.test.ts',
  ),
  'every-route': longForm(
    'every address of every route as a supplier and a buyer about drafts, as everybody who may ask it, and by keys without money',
    'test/console/drafts.test.ts',
    'test/console/security.test.ts',
    'test/http/contract-lists.test.ts',
    'test/http/contract-values.test.ts',
    'test/http/hidden-amounts.test.ts',
  ),
  'every-connector': longForm('every bad answer by a third of the connectors', 'test/ingest/misbehaviour.test.ts'),
  'cross-party': {
    ...longForm('sign-ins by mixed-up identity providers', 'test/identity/cross-party.test.ts'),
    rounds: 100,
  },
  'stock-witness': longForm(
    'a witness that others have written cosigns a log, if the machine has one',
    'test/proof/witness.test.ts',
  ),
  compilers: longForm('golden receipts with every other compiler', 'test/planted/compilers.test.ts'),
  'slow-documents': longForm('every kind of slow document', 'test/console/heavy-work.test.ts'),
  'odd-values': longForm('every odd value in every verified column', 'test/storage/verified-rows.test.ts'),
  'stand-in': longForm(
    'every bad answer of the stand-in for every provider, and its good ones at every moment',
    'test/stand-in/misbehaviour.test.ts',
    'test/stand-in/stand-in.test.ts',
  ),
  stops: longForm(
    'twenty stops under load, sixty killed imports, every signal for the processes of an embedded database',
    'test/http/stopping.test.ts',
    'test/cli/import-killed.test.ts',
    'test/storage/embedded.test.ts',
  ),
  commands: longForm(
    'what the core does with prices, lines and corrections once more by command, and every damage that commands find',
    'test/cli/backup-drill.test.ts',
    'test/cli/chain-and-backup.test.ts',
    'test/cli/corrected-money.test.ts',
    'test/cli/corrections.test.ts',
    'test/cli/damaged-backup.test.ts',
    'test/cli/invoice-import.test.ts',
    'test/cli/invoices.test.ts',
    'test/cli/prices.test.ts',
    'test/cli/standing-proposals.test.ts',
  ),
  restores: longForm(
    'prices, billing terms, corrections and ledgers as they are after a restore',
    'test/cli/radar.test.ts',
    'test/storage/billing-terms.test.ts',
    'test/storage/corrections.test.ts',
    'test/storage/prices.test.ts',
  ),
  installing: longForm(
    'the package by npx, npm run demo with its build, and the demo started twice',
    'test/cli/package.test.ts',
    'test/clients/package.test.ts',
    'test/clients/python.test.ts',
    'test/cli/npm-run.test.ts',
    'test/cli/demo-start.test.ts',
  ),
}
