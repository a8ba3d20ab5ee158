// A kind of entry that lacks a part does not compile: one that is complete is planted, then the same without each of its parts,
// and the project's compiler judges all of them.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Of a kind that nobody has. */
const parts = {
  about: `'agreement'`,
  table: `'rebate'`,
  subject: `'agreement_id'`,
  columns: `{ rate: text, grantedBy: text }`,
  content: `({ rate, grantedBy }) => ({ rate, grantedBy })`,
  names: `true`,
  seal: `sealedAs('rebate')`,
  stale: `{ lists: 'subject' }`,
  feed: `{ as: ['status'] }`,
}
type Part = keyof typeof parts
const names = Object.keys(parts) as Part[]

const ruleOf = (given: Readonly<Record<string, string>>) =>
  `{ ${Object.entries(given)
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ')} }`
const without = (part: Part) => ruleOf(Object.fromEntries(Object.entries(parts).filter(([name]) => name !== part)))

const kindText = (rule: string) => `
import { entryKind, sealedAs, text } from './src/storage/log/entry-kind.ts'
export const kinds = { rebate: entryKind(${rule}) }
export const seal = sealedAs('rebate')
export const column = text
`

const planted: Readonly<Record<string, string>> = {
  'whole.ts': kindText(ruleOf(parts)),
  ...Object.fromEntries(names.map(part => [`without-${part}.ts`, kindText(without(part))])),
  'with-a-fact-nowhere.ts': kindText(ruleOf({ ...parts, columns: `{ rate: text }` })),
  'in-no-feed.ts': kindText(ruleOf({ ...parts, feed: `{ as: ['rebates'] }` })),
}

let folder: string
let complaints: ReadonlyMap<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planted-kinds-'))
  for (const [name, text] of Object.entries(planted)) await writeFile(join(folder, name), text)
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
    include: [],
    files: Object.keys(planted),
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(root, 'src'), join(folder, 'src'))
  const found = (await compile()).split(/\n(?! )/)
  const own = (name: string) => found.filter(text => text.startsWith(`${name}(`)).join('\n')
  complaints = new Map(Object.keys(planted).map(name => [name, own(name)]))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function compile(): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise(resolve => {
    execFile(process.execPath, [compiler, '--pretty', 'false', '-p', '.'], { cwd: folder }, (_, out, err) =>
      resolve(out + err),
    )
  })
}

test('a kind with all of its parts compiles', () => {
  expect(complaints.get('whole.ts')).toBe('')
})

test.each(names)('a kind without its %s does not', part => {
  // Without columns, nothing is known about the facts of its content.
  const complaint = part === 'columns' ? `is not assignable to type 'Json'` : `Property '${part}' is missing`
  expect(complaints.get(`without-${part}.ts`)).toContain(complaint)
})

test('a kind whose content has a fact without a column does not', () => {
  expect(complaints.get('with-a-fact-nowhere.ts')).toContain(`Property 'grantedBy' does not exist`)
})

test('a kind that is in the feed as something that no reader knows does not', () => {
  expect(complaints.get('in-no-feed.ts')).toContain(`'"rebates"' is not assignable`)
})
