// Every file of ours that is loaded with some others, found by following imports that are not dynamic.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Types are gone at run time. */
const imports = /^(?:import|export)\s+(?!type\s)[^;'"]*?from\s+'(\.[^']+\.ts)'|^import\s+'(\.[^']+\.ts)'/gm

export function loadedWith(roots: readonly URL[]): readonly string[] {
  const seen = new Set<string>()
  const walk = (file: URL) => {
    const path = fileURLToPath(file)
    if (seen.has(path)) return
    seen.add(path)
    for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(imports)) walk(new URL(from ?? bare!, file))
  }
  for (const root of roots) walk(root)
  return [...seen]
}
