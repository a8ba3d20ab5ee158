// `npm run faults -- [name …] [--seed N] [--rounds N] [--only words]`: the long forms of the tests of docs/SECURITY.md, and of what `npm test`
// does with few random draws or in one form of several. Without a name all of them run; `--list` lists them. Exits with status 1 if anything failed.
import { parseArgs } from 'node:util'
import {
  backupsFault,
  badProvidersFault,
  correctionKillsFault,
  correctionRacesFault,
  diskFullFault,
  fuzzFault,
  greedyFault,
  importsFault,
  killsFault,
  logHistoriesFault,
  neighboursFault,
  plantedAccessFault,
  priceKillsFault,
  replayFault,
  restartsFault,
  rewrittenFault,
  secretsFault,
  signRacesFault,
  slowClientsFault,
  spliceKillsFault,
  spliceRacesFault,
  syncFault,
  tenantsFault,
  walksFault,
  webhookRestartsFault,
  zonesFault,
} from './api-faults.ts'
import { billingFault } from './billing.ts'
import { newSeed } from './chance.ts'
import { deceivingFault } from './deceiving.ts'
import { driftFault } from './drift.ts'
import { failoverFault } from './failover/failover.ts'
import type { Fault } from './fault.ts'
import { forgedFault } from './forged-receipts.ts'
import { hearInterruption } from './interruption.ts'
import { invoiceFilesFault } from './invoice-files.ts'
import { ledgerFault } from './ledger.ts'
import { bothSidesFault, longForms } from './long-forms.ts'
import { mutationFault } from './mutation.ts'
import { oracleFault } from './oracle.ts'
import { poolerFault } from './pooler.ts'
import { recoveryFault } from './recovery.ts'
import { sdmxClientsFault } from './sdmx-clients.ts'
import { spliceFault } from './splices.ts'
import { verifiersFault } from './verifiers.ts'
import { burstingArchivesFault, hostileDocumentsFault, hostilePoolsFault } from './work-faults.ts'

const faults: Readonly<Record<string, Fault>> = {
  'log-histories': logHistoriesFault,
  kills: killsFault,
  'price-kills': priceKillsFault,
  'correction-kills': correctionKillsFault,
  'splice-kills': spliceKillsFault,
  replay: replayFault,
  walks: walksFault,
  sync: syncFault,
  'sign-races': signRacesFault,
  'correction-races': correctionRacesFault,
  'splice-races': spliceRacesFault,
  restarts: restartsFault,
  pooler: poolerFault,
  'webhook-restarts': webhookRestartsFault,
  failover: failoverFault,
  'disk-full': diskFullFault,
  'bad-providers': badProvidersFault,
  zones: zonesFault,
  greedy: greedyFault,
  tenants: tenantsFault,
  fuzz: fuzzFault,
  oracle: oracleFault,
  ledger: ledgerFault,
  splices: spliceFault,
  verifiers: verifiersFault,
  deceiving: deceivingFault,
  'both-sides': bothSidesFault,
  'sdmx-clients': sdmxClientsFault,
  billing: billingFault,
  mutation: mutationFault,
  drift: driftFault,
  'invoice-files': invoiceFilesFault,
  secrets: secretsFault,
  backups: backupsFault,
  recovery: recoveryFault,
  imports: importsFault,
  rewritten: rewrittenFault,
  'planted-access': plantedAccessFault,
  forged: forgedFault,
  'slow-clients': slowClientsFault,
  neighbours: neighboursFault,
  'hostile-documents': hostileDocumentsFault,
  'bursting-archives': burstingArchivesFault,
  'hostile-pools': hostilePoolsFault,
}
const all: Readonly<Record<string, Fault>> = { ...faults, ...longForms }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
/** It needs files that are not in the repository, and so is not among those that run without a name. */
const [first, folder] = positionals
if (first === 'note-rules') {
  if (folder === undefined) {
    process.stderr.write('note-rules needs a folder with official schemas (*.xsd) or schematron as XSLT (*.xslt)\n')
    process.exit(2)
  }
  const { runNoteRules } = await import('./note-rules.ts')
  say(`note-rules: notes against the official files under ${folder}`)
  process.exit((await runNoteRules(folder, say)) ? 0 : 1)
}
const unknown = positionals.filter(name => !Object.hasOwn(all, name))
const names = positionals.length === 0 ? Object.keys(all) : positionals
const seed = values.seed === undefined ? newSeed() : Number.parseInt(values.seed, 10)

if (values.list || unknown.length > 0) {
  for (const name of unknown) process.stderr.write(`there is no fault test "${name}"\n`)
  for (const [name, { id, words }] of Object.entries(all)) say(`${name} (${id}): ${words}`)
  process.exitCode = unknown.length > 0 ? 2 : 0
} else {
  for (const name of names) {
    const fault = all[name]!
    const rounds = values.rounds === undefined ? fault.rounds : Number.parseInt(values.rounds, 10)
    say(`${name} (${fault.id}), seed ${seed}, ${rounds} rounds: ${fault.words}`)
    const interruption = fault.isStoppable === true ? hearInterruption() : null
    const { summary, failures } = await fault.run({
      rounds,
      seed,
      say: line => say(`  ${line}`),
      isTimed: true,
      ...(values.only === undefined ? {} : { only: values.only }),
      ...(interruption === null ? {} : { signal: interruption.signal }),
    })
    interruption?.end()
    for (const failure of failures) say(`  ${failure}`)
    say(`${name}: ${failures.length === 0 ? 'passed' : `${failures.length} failures`}, ${summary}`)
    if (failures.length > 0) process.exitCode = 1
    if (interruption?.signal.aborted) break
  }
}
