// Load over loopback, as fast as the server answers: wrk if it is installed, else autocannon. For times at a steady rate
// see steady.ts.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { connections } from './connection.ts'
import type { BenchRoute } from './requests.ts'

const run = promisify(execFile)

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // wrk answers --version with exit status 1.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Requests a second that are answered with 200. */
export async function loadFully(url: string, route: BenchRoute, seconds: number): Promise<number> {
  if (!hasWrk()) {
    const result = await cannon(url, route, seconds)
    return result['2xx'] / seconds
  }
  const folder = await mkdtemp(join(tmpdir(), 'assize-wrk-'))
  const script = join(folder, 'requests.lua')
  await writeFile(script, lua(route))
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url])
  await rm(folder, { recursive: true })
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)
  if (refused !== null) throw new Error(`${route.name}: ${refused[0]}`)
  return Number.parseFloat(/Requests\/sec:\s+([\d.]+)/.exec(stdout)![1]!)
}

function cannon(url: string, route: BenchRoute, seconds: number): Promise<autocannon.Result> {
  const requests = route.paths.slice(0, 500).map((path, i) => ({
    method: 'GET' as const,
    path: `${route.prefix ?? ''}${path}`,
    headers: { authorization: `Bearer ${route.keys[i % route.keys.length]}` },
  }))
  return autocannon({ url, connections, requests, duration: seconds })
}

function lua({ paths, keys, prefix = '' }: BenchRoute): string {
  const list = (items: readonly string[]) => `{${items.map(item => JSON.stringify(item)).join(',')}}`
  return `
local paths = ${list(paths)}
local keys = ${list(keys)}
local requests = {}
local count = 0
function init(args)
  for i = 1, math.max(#paths, #keys) do
    local headers = { ["Authorization"] = "Bearer " .. keys[(i - 1) % #keys + 1] }
    requests[i] = wrk.format("GET", ${JSON.stringify(prefix)} .. paths[(i - 1) % #paths + 1], headers)
  end
end
function request()
  count = count + 1
  return requests[(count * 7919) % #requests + 1]
end
`
}
