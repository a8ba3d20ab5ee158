// Answers with exact numbers as JSON: a whole number of any size is an object with its digits, distinct from any text.

export function formatExactJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? { digits: `${each}` } : each))
}

export function readExactJson(text: string): unknown {
  return JSON.parse(text, (_, each) => (isWhole(each) ? BigInt(each.digits) : each))
}

function isWhole(value: unknown): value is { readonly digits: string } {
  if (typeof value !== 'object' || value === null) return false
  const { digits } = value as { readonly digits?: unknown }
  return typeof digits === 'string' && Object.keys(value).length === 1
}
