// Reads the text of a search: a period, if one of the words is one, and the words of names. A half-typed period counts as
// neither.

interface FindWords {
  readonly period: string | undefined
  readonly names: readonly string[]
}

export function findWords(text: string): FindWords {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const period = words.find(word => /^\d{4}(-(q[1-4]|h[12]|\d{2}))?$/.test(word))
  return { period, names: words.filter(word => word !== period && !/^\d{4}-[qh]?$/.test(word)) }
}
