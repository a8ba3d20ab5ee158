// The formula documents of the demo, as files that `agreement check` and `agreement apply` take as well.
import { readFile } from 'node:fs/promises'

/** Each shows something different; `office-lease-2021` is what `office-lease` was before its second version. */
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

export function readFormula(name: DemoAgreement): Promise<string> {
  return readFile(new URL(`./formulas/${name}.yaml`, import.meta.url), 'utf8')
}
