// `verify --chain`: verifies the publications of every scope by their tree under its keyed head, the public log, the access logs
// and every stored seal, and prints for each chain that it is intact or where it first breaks, and then which agreements are not
// as they were published. It changes nothing.
import { Worker } from 'node:worker_threads'
import { accountsScope } from '../../storage/log/access-log.ts'
import { type Invocation, Misuse, printJson } from '../frame/command.ts'
import { withInstallation, workspaceOption } from '../frame/installation.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'
import type { VerificationOutput, VerificationTask } from './chain-verification.ts'

export function runVerifyChain(invocation: Invocation): Promise<number> {
  if (invocation.positionals.length > 0) throw new Misuse('--chain checks the database and takes no file')
  return withInstallation(invocation, async installation => {
    const progress = new ProgressLine(invocation)
    progress.show('verifying the chains', 0, 0)
    const isOne = invocation.options.workspace !== undefined
    const workspaceId = isOne ? (await workspaceOption(installation, invocation)).id : null
    const { target } = installation
    const output = await verifyInThread({ target, workspaceId }).finally(() => progress.clear())
    return report(invocation, output) ? 0 : 1
  })
}

const inside = new URL('./verify-chain-inside.ts', import.meta.url)

export function verifyInThread(task: VerificationTask): Promise<VerificationOutput> {
  const { promise, resolve, reject } = Promise.withResolvers<VerificationOutput>()
  const worker = new Worker(inside, { workerData: task })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', status => reject(new Error(`the thread that verifies ended with status ${status}`)))
  return promise
}

/** Lines about everything that is not as it was. */
export function problemsOf({ chains, log }: VerificationOutput): readonly string[] {
  const broken = chains.flatMap(({ chain, problem }) => (problem === null ? [] : [`${chain}: ${problem}`]))
  return log === null || log.problem === null ? broken : [...broken, `public log: ${log.problem}`]
}

/** Whether everything is as it was published. */
function report(invocation: Invocation, { chains, log }: VerificationOutput): boolean {
  const { terminal } = invocation
  const isSame = chains.every(({ problem }) => problem === null) && (log?.problem ?? null) === null
  for (const { chain, problem, agreements } of chains) {
    if (problem !== null) terminal.err(`broken: ${chain}: ${problem}\n`)
    for (const { agreement, publications } of agreements)
      terminal.err(`  ${agreement} is not as it was published: publications ${publications.join(', ')}\n`)
  }
  if (log !== null && log.problem !== null) terminal.err(`broken: public log ${log.origin}: ${log.problem}\n`)
  if (invocation.json) printJson(invocation, { same: isSame, chains, log })
  else {
    for (const { chain, publications, redacted, root, problem } of chains) {
      if (problem !== null || chain === accountsScope) continue
      const erased = redacted === 0 ? '' : `, ${countOf(redacted, 'redaction')} of people who were erased`
      terminal.out(`same: ${chain}, ${countOf(publications, 'publication')}${erased}, tree ${root}\n`)
    }
    if (log !== null && log.problem === null) {
      const { origin, leaves, checkpoints, root } = log
      const size = `${countOf(leaves, 'leaf', 'leaves')}, ${countOf(checkpoints, 'checkpoint')}`
      terminal.out(`same: public log ${origin}, ${size}, root ${root}\n`)
    }
  }
  return isSame
}
