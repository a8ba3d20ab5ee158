#!/usr/bin/env node
// Entry point of the command line: prepares the process before anything else is loaded, then runs the program.
import { cacheCompiledCode } from './frame/compile-cache.ts'

cacheCompiledCode(process.env)
const { runProgram } = await import('./program.ts')
process.exitCode = await runProgram(process.argv.slice(2), process.env)
