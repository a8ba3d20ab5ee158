// The program as a process of its own, for tests that end it without mercy: says "go" when it is loaded and begins to work,
// so that no moment is spent on killing what has not begun.
import process from 'node:process'
import { repairDriver } from '../../src/cli/driver-repair.ts'

repairDriver()
const { runProgram } = await import('../../src/cli/program.ts')
process.stdout.write('go\n')
process.exitCode = await runProgram(process.argv.slice(2), process.env)
