// A receipt checked as `verify` checks it.
import { judgeReceipt, type Verdict } from '../../../src/core/receipt/verdict.ts'

/** As an object, or as the text of a file. */
export function judge(receipt: unknown, trustedKeys: readonly string[] | null = null): Promise<Verdict> {
  const source = typeof receipt === 'string' ? receipt : JSON.stringify(receipt)
  return judgeReceipt(source, { subtle: globalThis.crypto.subtle, trustedKeys })
}
