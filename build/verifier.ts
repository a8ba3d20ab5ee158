// Joins the modules of the second verifier into the one file that packages carry and people download: `npm run verifier`. The file is
// committed, and a test holds it to the modules.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../verifier/', import.meta.url)
const built = new URL('assize_verify.py', folder)

/** In the order in which they are read, each after those that it needs. */
const modules = [
  'text',
  'exact',
  'public_keys',
  'envelope',
  'party_signatures',
  'words',
  'expressions',
  'receipts',
  'corrections',
  'changes',
  'log',
  'slips',
  'archive',
  'package',
  'command',
] as const

const head = `#!/usr/bin/env python3
# Generated from the modules in verifier/source by \`npm run verifier\`: change those.
"""Checks receipts, corrections, changes of terms, evidence packages and slips of Assize, offline.

    python3 assize_verify.py receipt.json
    python3 assize_verify.py package.zip --trust KEY

It was written from the format's reference (docs/RECEIPT.md) and not from the program that makes the files, so that the two
can disagree. It needs Python 3.9 or later and nothing else, opens no connection and writes no file.
"""
`

interface Module {
  readonly words: string
  readonly imports: readonly string[]
  readonly code: string
}

function readModule(name: string): Module {
  const source = readFileSync(new URL(`source/${name}.py`, folder), 'utf8')
  const [, words, imports, code] =
    /^"""(.*?)"""\n\n((?:(?:import|from) [^\n]*\n(?: {4}[^\n]*\n|\)\n)*|\n)*)(.*)$/s.exec(source) ?? []
  if (code === undefined) throw new Error(`${name}.py does not begin with its words and its imports`)
  const statements = imports!.replaceAll(/\([^)]*\)/g, list => list.replaceAll(/\s+/g, ' ')).split('\n')
  const isOwn = (line: string) => modules.some(each => line.startsWith(`from ${each} import`))
  return { words: words!, imports: statements.filter(line => line !== '' && !isOwn(line)), code: code.trim() }
}

/** One name means one thing: what two modules call alike would be overwritten. */
function checkNames(code: string): void {
  const names = [...code.matchAll(/^(?:def |class )?([A-Za-z_]\w*)(?=\(| =|:| \()/gm)].map(([, name]) => name!)
  const twice = names.filter(
    (name, i) => names.indexOf(name) !== i && !['if', 'else', 'try', 'for', 'with'].includes(name),
  )
  if (twice.length > 0) throw new Error(`two modules have ${twice.join(', ')}`)
}

export function buildVerifier(): string {
  const read = modules.map(readModule)
  const imports = [...new Set(read.flatMap(each => each.imports))]
  const isPlain = (line: string) => line.startsWith('import ')
  const sorted = [...imports.filter(isPlain).sort(), ...imports.filter(line => !isPlain(line)).sort()]
  const code = read.map(each => each.code).join('\n')
  checkNames(code)
  const parts = read.map(({ words, code: own }, i) => {
    const line = `# ${'='.repeat(118)}`
    const comment = `${modules[i]}.py: ${words.trim()}`.split('\n').map(each => (each === '' ? '#' : `# ${each}`))
    return [line, ...comment, line, '', '', own].join('\n')
  })
  return `${[`${head}\n${sorted.join('\n')}`, ...parts].join('\n\n\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(built, buildVerifier())
