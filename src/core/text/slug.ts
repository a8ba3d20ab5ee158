// The slug suggested for a name.

const mostCharacters = 63

/** `Steel brackets, supplier A` → `steel-brackets-supplier-a`. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, mostCharacters)
    .replace(/^-|-+$/g, '')
}
