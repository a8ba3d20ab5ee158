// The formula documents of the demo, as files that `agreement check` and `agreement apply` take as well, and the words of contracts.
import { readFile } from 'node:fs/promises'
import { type ContractWords, readPasted } from '../core/formula/words/contract-words.ts'

/**
 * Slugs of the demo's agreements. Each shows something different; `office-lease-2021` is `office-lease` before its second
 * version.
 */
export type DemoAgreement =
  | 'steel-brackets'
  | 'steel-tubes'
  | 'rack-frames'
  | 'bridge-engineering'
  | 'freight-surcharge'
  | 'office-lease-2021'
  | 'office-lease'
  | 'long-haul'
  | 'cold-storage'
  | 'cleaning-services'
  | 'bonded-warehouse'

/** The agreements that have their contract's own words, as text that somebody pasted. */
const worded: readonly DemoAgreement[] = ['office-lease-2021', 'office-lease']

export async function readContractWords(name: DemoAgreement): Promise<ContractWords | undefined> {
  if (!worded.includes(name)) return undefined
  const text = await readFile(new URL(`./words/${name}.txt`, import.meta.url), 'utf8')
  return readPasted(text).words ?? undefined
}

export function readFormula(name: DemoAgreement): Promise<string> {
  return readFile(new URL(`./formulas/${name}.yaml`, import.meta.url), 'utf8')
}
