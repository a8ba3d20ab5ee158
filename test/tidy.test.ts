// Rules that no linter has (core is pure, a transaction asks no other connection, words, the order of the folders, links), as a
// test over the source, and for each rule a sample that breaks it. Biome and knip check the rest (`npm run check`).
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { arrowsPointOneWay, roomsBuildOnEachOther } from './support/import-rules.ts'
import { codeOf, type Rule, type SourceFile, sourceFile } from './support/source-text.ts'
import {
  brokenLinks,
  coreIsPure,
  namesKeepToTheGlossary,
  namesSaySomething,
  noMachinePaths,
  pagesKeepToTheGlossary,
  transactionsAskForNothingElse,
} from './support/tidy-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const otherPeoples = new Set(['node_modules', 'dist', 'data', '.git', 'specimens', 'coverage'])

function pathsUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    if (otherPeoples.has(entry.name)) return []
    const path = join(folder, entry.name)
    return [relative(root, path).split(sep).join('/'), ...(entry.isDirectory() ? pathsUnder(path) : [])]
  })
}

const paths = new Set(pathsUnder(root))
const files: readonly SourceFile[] = [...paths]
  .filter(path => /\.(?:tsx?|sql|css|md)$/.test(path))
  .map(path => sourceFile(path, readFileSync(join(root, path), 'utf8')))

function findings(rule: Rule): string[] {
  return files.flatMap(file => rule(file).map(what => `${file.path}: ${what}`))
}

interface RuleCase {
  readonly sentence: string
  readonly rule: Rule
  /** Small files that break it, and small files that do not. */
  readonly bad: readonly (readonly [path: string, text: string])[]
  readonly good: readonly (readonly [path: string, text: string])[]
}

const home = ['', 'home', 'ann', 'assize'].join('/')

const rules: readonly RuleCase[] = [
  {
    sentence: 'imports point one way and name their endings',
    rule: arrowsPointOneWay,
    bad: [
      ['src/core/a.ts', "import { b } from '../storage/b.ts'"],
      ['src/core/a.ts', "import type { b } from '../limits.ts'"],
      ['src/core/formula/a.ts', "import {\n  b,\n} from '../../http/b.ts'"],
      ['src/providers/a.ts', "import { b } from '../storage/b.ts'"],
      ['src/storage/a.ts', "export { b } from '../read/b.ts'"],
      ['src/read/a.ts', "import { b } from '../ingest/b.ts'"],
      ['src/http/v1/a.ts', "import { b } from '../../ingest/b.ts'"],
      ['src/http/a.ts', "const b = await import('../cli/b.ts')"],
      ['src/http/v1/a.ts', "import { b } from '../console/b.ts'"],
      ['src/http/console/a.ts', "import { b } from '../../cli/b.ts'"],
      ['src/import/a.ts', "import { b } from '../cli/b.ts'"],
      ['src/ingest/a.ts', "import { b } from '../read/b.ts'"],
      ['src/cli/a.ts', "import { b } from '../../test/support/b.ts'"],
      ['src/core/a.ts', "import { b } from './b'"],
      ['web/pages/a.tsx', "import { b } from '../../src/http/wire.ts'"],
      ['web/pages/a.tsx', "import type { b } from '../../src/storage/b.ts'"],
      ['src/cli/a.ts', "import { b } from '../../../elsewhere/b.ts'"],
      ['src/formats/a.ts', "import { b } from '../import/b.ts'"],
      ['src/core/a.ts', "import { b } from '../formats/b.ts'"],
    ],
    good: [
      ['src/core/formula/a.ts', "import { b } from '../b.ts'\nimport { parse } from 'yaml'"],
      ['src/ingest/a.ts', "import { b } from '../providers/b.ts'\nimport { c } from '../storage/c.ts'"],
      ['src/http/v1/a.ts', "import { b } from '../../read/b.ts'\nimport type { c } from '../../config.ts'"],
      ['src/http/console/a.ts', "import { b } from '../../ingest/b.ts'\nimport { c } from '../errors.ts'"],
      ['src/cli/a.ts', "import { b } from '../http/b.ts'"],
      ['src/core/a.test.ts', "import { b } from '../../test/support/b.ts'"],
      ['web/pages/a.tsx', "import type { b } from '../../src/http/v1/wire.ts'\nimport './a.css'"],
      ['web/pages/a.tsx', "import { b } from '../../src/core/b.ts'"],
      ['web/pages/a.tsx', "import { b } from '../../src/formats/b.ts'"],
      ['src/formats/a.ts', "import { b } from '../core/b.ts'"],
    ],
  },
  {
    sentence: 'names keep to the words of the glossary',
    rule: namesKeepToTheGlossary,
    bad: [
      ['src/read/a.ts', 'export interface PamRow {}'],
      ['src/read/a.ts', 'const readPams = 1'],
      ['src/read/a.ts', 'const pamRow = 1'],
      ['src/read/a.ts', 'const { pamId } = row'],
      ['src/storage/a.ts', 'export interface OpenPublication {}'],
      ['web/a.tsx', 'type A = FormulaRow'],
      ['web/a.ts', 'openFormula(slug)'],
    ],
    good: [
      ['src/http/v1/a.ts', 'export interface PamRow {}'],
      ['src/read/a.ts', "const { pam } = body\nconst text = 'a PamRow'"],
      ['src/core/a.ts', 'const formula: Formula = governingFormula'],
      ['src/providers/a.ts', 'const day: PublicationDay = published'],
    ],
  },
  {
    sentence: 'words on pages keep to the glossary',
    rule: pagesKeepToTheGlossary,
    bad: [
      ['web/a.tsx', '<h1>Formulas</h1>'],
      ['web/a.tsx', 'const crumb = { label: "Formulas" }'],
      ['web/a.tsx', "const to = '/w/$ws/formulas/$slug'"],
    ],
    good: [['web/a.tsx', '<h1>Agreements</h1><p>Formula 2 governs</p>']],
  },
  {
    sentence: 'the rooms of a folder build on each other, one way',
    rule: roomsBuildOnEachOther,
    bad: [
      ['src/core/numbers/a.ts', "import { b } from '../receipt/b.ts'"],
      ['src/core/text/a.ts', "import type { b } from '../formula/check/b.ts'"],
      ['src/storage/log/a.ts', "import { b } from '../agreements/b.ts'"],
      ['src/http/v1/a.ts', "import { b } from '../app.ts'"],
      ['src/core/attic/a.ts', ''],
    ],
    good: [
      ['src/core/receipt/a.ts', "import { b } from '../numbers/b.ts'\nimport { c } from '../refusal.ts'"],
      ['src/http/app.ts', "import { b } from './v1/b.ts'"],
      ['src/core/numbers/a.test.ts', "import { b } from '../receipt/b.ts'"],
    ],
  },
  {
    sentence: 'core has no I/O, clock, environment, chance or float',
    rule: coreIsPure,
    bad: [
      ['src/core/a.ts', "import { readFile } from 'node:fs'"],
      ['src/core/a.ts', "import { z } from 'zod'"],
      ['src/core/a.ts', 'const now = new Date()'],
      ['src/core/a.ts', 'const now = Date.now()'],
      ['src/core/a.ts', 'const dice = Math.random()'],
      ['src/core/a.ts', 'const whole = Math.round(x)'],
      ['src/core/a.ts', 'const home = process.cwd()'],
      ['src/core/a.ts', 'const x = parseFloat(text)'],
      ['src/core/a.ts', 'const x = Number.parseFloat(text)'],
      ['src/core/a.ts', 'const x = Number(text)'],
      ['src/core/a.ts', 'const x = y.toFixed(2)'],
      ['src/core/a.ts', 'const half = 0.5'],
      ['src/core/a.ts', 'const much = 1e6'],
      ['src/core/a.ts', `const text = \`half is \${0.5}\``],
      ['src/core/a.ts', 'console.log(1)'],
    ],
    good: [
      ['src/core/a.ts', `// half is 0.5 on any Date\nconst text = 'such as 0.35'\nconst other = \`0.5 of \${count}\``],
      ['src/core/a.ts', 'const whole = Math.floor(n / 12)\nconst n = Number.parseInt(text, 10)\nconst d = 146_097'],
      ['src/core/a.ts', 'const pattern = /^\\d+0.5 process$/\nexport type CivilDate = Day'],
      ['src/http/a.ts', 'const half = 0.5'],
    ],
  },
  {
    sentence: 'what runs inside a transaction asks for no other connection',
    rule: transactionsAskForNothingElse,
    bad: [
      ['src/read/a.ts', 'await withWorkspace(sql, id, async tx => {\n  return [await read(tx), await other(sql)]\n})'],
      ['src/read/a.ts', 'const read = (tx: Transaction) => this.index(id)\n'],
      [
        'src/http/ext/a.ts',
        'async function describe(request: A, tx: Transaction, id: string): Promise<B[]> {\n  await library.index(id)\n}',
      ],
      ['src/http/ext/a.ts', 'parts.snapshot(id, async tx => ({ a: await parts.isPublicSettled(at) }))'],
      ['src/storage/a.ts', 'await sql.begin(async tx => {\n  await sql`select 1`\n})'],
      [
        'src/storage/a.ts',
        'function find(tx: Transaction): Promise<{ readonly a: B }> {\n  return withWorkspace(pool, id, read)\n}',
      ],
    ],
    good: [
      ['src/read/a.ts', 'await withWorkspace(sql, id, async tx => read(tx, id))\nawait other(sql)'],
      ['src/read/a.ts', 'const read = (tx: Transaction) => readPam(tx, id)\nconst index = await library.index(id)'],
      [
        'src/storage/a.ts',
        'function find(tx: Transaction): Promise<A> {\n  return tx`select 1`\n}\nfunction other(sql: Sql) {\n  return sql`select 1`\n}',
      ],
      ['src/read/a.test.ts', 'await sql.begin(async tx => sql`select 1`)'],
    ],
  },
  {
    sentence: 'names say something',
    rule: namesSaySomething,
    bad: [
      ['src/core/date-utils.ts', ''],
      ['src/http/series-service.ts', ''],
      ['test/helpers/a.ts', ''],
      ['src/a.ts', 'export class SeriesManager {}'],
      ['src/a.ts', 'export interface IReader {}'],
      ['src/a.ts', 'export type SeriesDto = 1'],
      ['src/a.ts', 'export function dateUtil() {}'],
    ],
    good: [
      ['src/a.ts', 'export const implied = 1\nexport type Import = 2\nexport function utility() {}'],
      ['src/a.ts', '// export class SeriesManager'],
    ],
  },
  {
    sentence: 'no file knows whose machine it is on',
    rule: noMachinePaths,
    bad: [
      ['src/a.ts', `const folder = '${home}'`],
      ['docs/a.md', `See ${home}.`],
      ['src/a.ts', "const folder = 'C:\\\\Users\\\\ann'"],
    ],
    good: [
      ['src/a.ts', "import { b } from '../home/b.ts'\nconst url = 'https://example.test/home/a'"],
      ['src/a.ts', "const route = '/v1/root/a'"],
    ],
  },
]

function numbered(samples: RuleCase['bad']): { path: string; text: string; number: number }[] {
  return samples.map(([path, text], i) => ({ path, text, number: i + 1 }))
}

describe('the house style', () => {
  test('checks all files', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.map(({ path }) => path)).toContain('src/core/numbers/ratio.ts')
    expect(files.map(({ path }) => path)).toContain('test/tidy.test.ts')
  })

  describe.each(rules)('$sentence', ({ rule, bad, good }) => {
    test('is followed everywhere', () => {
      expect(findings(rule)).toEqual([])
    })

    test.each(numbered(bad))('would be noticed in $path (bad sample $number)', ({ path, text }) => {
      expect(rule(sourceFile(path, text))).not.toEqual([])
    })

    test.each(numbered(good))('lets pass $path (good sample $number)', ({ path, text }) => {
      expect(rule(sourceFile(path, text))).toEqual([])
    })
  })
})

describe('links of Markdown files', () => {
  test('lead somewhere', () => {
    const broken = files.flatMap(file =>
      brokenLinks(file, path => paths.has(path)).map(what => `${file.path}: ${what}`),
    )
    expect(broken).toEqual([])
  })

  test('would be noticed when they do not', () => {
    const exists = (path: string) => ['docs/a.md', 'docs', 'src/core/numbers/ratio.ts'].includes(path)
    const linksOf = (text: string) => brokenLinks(sourceFile('docs/b.md', text), exists)
    expect(
      linksOf('[a](a.md) [core](../src/core/numbers/ratio.ts#L5) [x](https://x.test) [y](#z) [d](../docs/)'),
    ).toEqual([])
    expect(linksOf('`[a](none.md)` and\n```\n[a](none.md)\n```\n')).toEqual([])
    expect(linksOf('See [a](none.md).\n\n[b]: ../nowhere.md\n')).toHaveLength(2)
    expect(linksOf('[a](a.md "title") ![picture](none.png)')).toHaveLength(1)
  })
})

describe('documents that are named anywhere', () => {
  const named = (text: string) => [...text.matchAll(/[\w./-]*\b[\w-]+\.md\b/g)].map(([name]) => name.split('/').at(-1)!)
  const known = new Set([...paths].filter(path => path.endsWith('.md')).map(path => path.split('/').at(-1)!))

  test('are in the repository', () => {
    const strange = files
      .filter(({ path, text }) => path !== 'test/tidy.test.ts' && text.includes('.md'))
      .flatMap(({ path, text }) => named(text).flatMap(name => (known.has(name) ? [] : [`${path}: ${name}`])))
    expect(strange).toEqual([])
  })

  test('would be noticed when they are not', () => {
    expect(named('as ../elsewhere/rules.md says, see `docs/FORMULA.md`')).toEqual(['rules.md', 'FORMULA.md'])
    expect(known.has('FORMULA.md') && !known.has('rules.md')).toBe(true)
  })
})

describe('code without its words', () => {
  test('has neither comments nor strings, and every line where it was', () => {
    const code = codeOf(
      `a // b\n/* c\nd */ e 'f' "g" \`h \${i + \`j \${k}\`} l\` m\nconst n = /o'p/.test(q) / r // s\n`,
    )
    expect(code.split('\n').map(line => line.trim().replace(/\s+/g, ' '))).toEqual([
      'a',
      '',
      'e i + k m',
      'const n = .test(q) / r',
      '',
    ])
  })
})
