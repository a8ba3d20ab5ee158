// Replaces pieces of source text while modules are loaded, for processes that run with a fault in them. Nothing on disk
// changes. Must be called before the affected modules are imported.
import { registerHooks } from 'node:module'

export interface Exchange {
  /** From the project's root. */
  readonly file: string
  /** As it stands in the file, once. */
  readonly right: string
  readonly wrong: string
}

/** The result says which of the files were never loaded: a fault there was never planted. */
export function plant(exchanges: readonly Exchange[]): { readonly unloaded: () => readonly string[] } {
  const waiting = new Set(exchanges.map(({ file }) => file))
  const urlOf = (file: string) => new URL(`../../${file}`, import.meta.url).href
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const own = exchanges.filter(({ file }) => urlOf(file) === url)
      if (own.length === 0) return loaded
      let text = String(loaded.source)
      for (const { file, right, wrong } of own) {
        if (text.split(right).length !== 2) throw new Error(`${file} does not hold this once: ${right}`)
        text = text.replace(right, () => wrong)
        waiting.delete(file)
      }
      return { ...loaded, source: text }
    },
  })
  return { unloaded: () => [...waiting] }
}
