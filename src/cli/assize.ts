#!/usr/bin/env node
// Where the command line begins: compiled code is kept between runs, because most commands are shorter than their
// loading; the database driver is repaired; then the program.
import { enableCompileCache } from 'node:module'
import { repairDriver } from './driver-repair.ts'

enableCompileCache()
repairDriver()
const { runProgram } = await import('./program.ts')
process.exitCode = await runProgram(process.argv.slice(2), process.env)
