// One text for one value: JSON with sorted keys and no white space, for hashing and comparing. Numbers must be whole;
// every decimal of ours is a string.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export function canonicalJson(value: Json): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number; write decimals as text`)
    return value.toString()
  }
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const entries = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`)
  return `{${entries.join(',')}}`
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
