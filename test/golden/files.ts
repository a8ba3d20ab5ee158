// The golden receipts as files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('./receipts', import.meta.url))

export function fileOf(name: string): string {
  return join(folder, `${name}.json`)
}

/** By name, as text. */
export function readGolden(): ReadonlyMap<string, string> {
  const names = readdirSync(folder).map(file => file.replace(/\.json$/, ''))
  return new Map(names.sort().map(name => [name, readFileSync(fileOf(name), 'utf8')]))
}
