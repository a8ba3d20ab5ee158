// The TypeScript client in a real browser, on a page of another origin that the operator has listed: it reads a list over several
// pages, shows its tags, and verifies a receipt, with nothing but the files of the package.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type Api, openApi } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { fillSample } from '../support/houses/sample.ts'
import { longTest } from '../support/run/long-test.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { openBrowser } from './chromium.ts'

const builder = fileURLToPath(new URL('../../clients/typescript/build/package.ts', import.meta.url))

/** The server of a page that has the client, and ours, which knows of its origin. */
async function openTool(): Promise<{ api: Api; page: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-in-browser-'))
  execFileSync(process.execPath, [builder, folder])
  const server = createServer(async (req, res) => {
    const isPage = req.url === '/'
    const body = isPage ? '<!doctype html><title>Tool</title>' : await readFile(join(folder, req.url!)).catch(() => '')
    res.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = await openApi(await openTestDatabase(), { env: { ASSIZE_CORS_ORIGINS: page } })
  const close = async () => {
    await api.close()
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { api, page, close }
}

const tool = ownHouse(openTool)

longTest('stories', 'the client reads lists and verifies receipts on a page of another origin', async () => {
  const tenant = await tool.api.tenant()
  await fillSample(tenant)
  const context = await (await openBrowser()).newContext()
  try {
    const tab = await context.newPage()
    const tags: (string | undefined)[] = []
    tab.on('request', request => {
      if (request.url().includes('/v1/series?') && request.method() === 'GET')
        tags.push(request.headers()['if-none-match'])
    })
    await tab.goto(tool.page)
    const options = JSON.stringify({ url: tool.api.address, key: tenant.key })
    const found = (await tab.evaluate(`(async () => {
      const { Assize } = await import('/client.js')
      const assize = new Assize(${options})
      const series = await assize.series.list({ limit: 1 }).all()
      const again = await assize.series.list({ limit: 1 }).all()
      const receipt = await assize.receipts.get('steel', { period: '2024-Q2' })
      const missing = await assize.agreements.get('nobody').catch(error => [error.problem, error.requestId.length > 0])
      return [series.length, JSON.stringify(series) === JSON.stringify(again), missing, await assize.receipts.verify(receipt)]
    })()`)) as unknown[]
    const verdict = expect.objectContaining({ isGood: true, agreement: 'steel', seal: 'good', problems: [] })
    expect(found).toEqual([2, true, ['not-found', true], verdict])
    expect(tags.map(tag => tag !== undefined)).toEqual([false, false, true, true])
  } finally {
    await context.close()
  }
})
