// Imports over the whole source: no circles, by value or by type, and no name that is exported for nobody.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { circles, deadExports } from './support/import-circles.ts'
import { type SourceFile, sourceFile } from './support/source-text.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const otherPeoples = new Set(['node_modules', 'dist', 'specimens'])

function filesUnder(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (otherPeoples.has(entry.name)) return []
    if (entry.isDirectory()) return filesUnder(path)
    if (!/\.tsx?$/.test(path)) return []
    return [sourceFile(relative('.', path).split(sep).join('/'), readFileSync(join(root, path), 'utf8'))]
  })
}

const everything = ['src', 'web', 'bench', 'build', 'clients', 'test'].flatMap(filesUnder)
const isTest = ({ path }: SourceFile) => path.startsWith('test/') || /\.test\.tsx?$/.test(path)
const product = everything.filter(file => !isTest(file))

/** What a client exports is for others. */
const ours = product.filter(({ path }) => !path.startsWith('clients/'))

/** The package's declarations name them, although nobody imports them. */
const declared = [
  'src/core/text/exact-shape.ts: MappingShape',
  'src/storage/agreements/last-looks.ts: LastLook',
  'src/views/calls/call.ts: Answered',
  // The compiler imports them into every page.
  ...['JSX', 'Fragment', 'jsxDEV'].map(name => `web/jsx/jsx-dev-runtime.ts: ${name}`),
  ...['JSX', 'Fragment', 'jsx', 'jsxs'].map(name => `web/jsx/jsx-runtime.ts: ${name}`),
]

describe('the imports of the source', () => {
  test.each(['value', 'type'] as const)('make no circle by %s', kind => expect(circles(product, kind)).toEqual([]))

  test('use every name that is exported', () => expect(deadExports(ours, everything)).toEqual(declared))
})

describe('the finder', () => {
  test('tells circles by value from circles by type, however long', () => {
    const files = [
      sourceFile('src/a.ts', "import { b } from './b.ts'\nimport type { C } from './c.ts'\nexport const a = b"),
      sourceFile('src/b.ts', "import {\n  a,\n} from './a.ts'\nexport const b = a"),
      sourceFile('src/c.ts', "export { d } from './d/d.ts'\nexport type C = string"),
      sourceFile('src/d/d.ts', "import type { A } from '../a.ts'\nexport const d = await import('../e.ts')"),
      sourceFile('src/e.ts', "import { d } from './d/d.ts'\nexport const e = d"),
    ]
    expect(circles(files, 'value')).toEqual([['src/a.ts', 'src/b.ts']])
    expect(circles(files, 'type')).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d/d.ts']])
  })

  test('counts an inline type as an import by value, because the file is loaded', () => {
    const files = [
      sourceFile('src/a.ts', "import { type B } from './b.ts'\nexport type A = B"),
      sourceFile('src/b.ts', "import { type A } from './a.ts'\nexport type B = A"),
    ]
    expect(circles(files, 'value')).toEqual([['src/a.ts', 'src/b.ts']])
  })

  test('names what nobody imports, under whatever name it is imported', () => {
    const files = [
      sourceFile('src/a.ts', 'export const used = 1\nexport const { one, two } = both\nexport interface Dead {}\n'),
      sourceFile('src/b.ts', "import { used as mine, one } from './a.ts'\nexport async function never() {}"),
      sourceFile('src/c.ts', "const { never } = await import('./b.ts')\nexport const all = 1"),
      sourceFile('src/d.ts', "import * as c from './c.ts'"),
    ]
    expect(deadExports(files, files)).toEqual(['src/a.ts: two', 'src/a.ts: Dead'])
  })
})
