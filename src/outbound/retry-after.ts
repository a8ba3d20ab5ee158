// The pause that a server asks for.

/** Reads seconds or a date; `null` for neither. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text.trim())) return Number.parseInt(text, 10) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}
