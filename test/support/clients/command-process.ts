// The program as a process of its own, for tests that kill it: prints "go" when it is loaded and starts to work, so that it
// is never killed before it has started.
import process from 'node:process'
import { cacheCompiledCode } from '../../../src/cli/frame/compile-cache.ts'

cacheCompiledCode(process.env)
const { runProgram } = await import('../../../src/cli/program.ts')
process.stdout.write('go\n')
process.exitCode = await runProgram(process.argv.slice(2), process.env)
