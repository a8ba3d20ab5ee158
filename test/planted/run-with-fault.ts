// Runs a check in a process of its own in which one source file has a fault. Exit status 0 if the check detects
// nothing, 1 if it does. Called as `run-with-fault.ts <check> <exchanges as JSON>`.
import type { Check } from './faults.ts'
import { plant } from './plant.ts'

const [check, exchanges] = process.argv.slice(2) as [Check, string]
const { unloaded } = plant(JSON.parse(exchanges))

const checks: Readonly<Record<Check, () => Promise<void>>> = {
  cuts: async () => (await import('../properties/vintage-cuts.ts')).checkCuts(1_000),
  'slice tags': async () => (await import('../properties/slice-tags.ts')).checkSliceTags(200),
  lengths: async () => (await import('../properties/work-counting.ts')).checkLengths(),
}

try {
  await checks[check]()
} catch (error) {
  if (unloaded().length > 0) throw error
  console.log(`found: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
if (unloaded().length > 0) throw new Error(`never loaded: ${unloaded().join(', ')}`)
