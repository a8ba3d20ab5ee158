// `npm run compile`: builds dist/ from src/, as the package ships it: JavaScript and the files that the program
// reads, and nothing that only a library would need (decision 0780). With `--noCheck`, where the types have just been checked, it takes half the time.
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')
const target = join(root, 'dist')

rmSync(target, { recursive: true, force: true })
const compiler = join(root, 'node_modules', '.bin', 'tsc')
// Several checkers would each check the types that they share.
const compiled = spawnSync(compiler, ['-p', import.meta.dirname, '--checkers', '1', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

// Migrations, the demo's formulas, the parts of the documentation page.
cpSync(source, target, { recursive: true, filter: path => !path.endsWith('.ts') })

// The compiler rewrites imports, but not the addresses of files that threads are started from.
for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' }).filter(each => each.endsWith('.js'))) {
  const path = join(target, name)
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(/(new URL\(\s*['"`]\.[^'"`]*)\.ts(['"`],\s*import\.meta\.url)/g, '$1.js$2')
  if (changed !== text) writeFileSync(path, changed)
}
