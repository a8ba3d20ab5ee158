#!/usr/bin/env node
// Entry point of the command line: compiled code is cached between runs, because most commands take less time than loading
// them; the database driver is patched; then the program runs.
import { enableCompileCache } from 'node:module'
import { repairDriver } from './driver-repair.ts'

enableCompileCache()
repairDriver()
const { runProgram } = await import('./program.ts')
process.exitCode = await runProgram(process.argv.slice(2), process.env)
