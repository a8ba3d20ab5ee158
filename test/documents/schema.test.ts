// The JSON Schema of documents is made from the checker's own tables: what the checker accepts fits it, and a key the checker
// does not know does not.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { documentSchema } from '../../src/core/formula/schema.ts'
import { referenceExamples } from '../support/agreements/reference-examples.ts'

const fits = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(documentSchema())

function documentsIn(folder: string, file: (name: string) => string): (readonly [name: string, text: string])[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map(name => [name, join(folder, file(name))] as const)
    .filter(([, path]) => path.endsWith('.yaml') && existsSync(path))
    .map(([name, path]) => [name, readFileSync(path, 'utf8')] as const)
}

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const documents = [
  ...referenceExamples().map(({ slug, document }) => [slug, document] as const),
  ...documentsIn(folderOf('../../src/demo/formulas/'), name => name),
  ...documentsIn(folderOf('../../../shared/worked-examples/'), name => join(name, 'pam.yaml')),
].filter(([, text]) => checkDocument(text).formula !== null)

/** Every mapping of a document, with the way to it. */
function mappingsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) =>
    mappingsOf(each, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return Array.isArray(value) ? inner : [path, ...inner]
}

/** Mappings by free names, where any key is right. */
function isByNames(path: readonly (string | number)[]): boolean {
  const [first, , third, fourth] = path
  if (path.length === 1) return ['inputs', 'params', 'tables'].includes(first as string)
  return path.length === 4 && first === 'inputs' && third === 'missing' && fourth === 'agreed'
}

describe('the schema of documents', () => {
  test.each(documents)('is met by %s', (_, text) => {
    fits(parse(text))
    expect(fits.errors ?? []).toEqual([])
  })

  test('is not met with an unknown key, wherever it is', () => {
    let tried = 0
    for (const [name, text] of documents)
      for (const path of mappingsOf(parse(text)).filter(each => !isByNames(each))) {
        const changed = parse(text) as Record<string, unknown>
        const place = path.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, changed)
        place.unheardOf = 1
        expect(fits(changed), `${name} ${path.join('.')}`).toBe(false)
        tried++
      }
    expect(tried).toBeGreaterThan(100)
  })

  test('is not met with a value that may not be chosen', () => {
    const document = parse(documents[0]![1]) as { clause: object }
    document.clause = { ...document.clause, basis: 'SOMETIMES' }
    expect(fits(document)).toBe(false)
  })
})
