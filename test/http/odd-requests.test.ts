// What no request may contain, on every route of every API and of the console: U+0000 and half of a character, which the database
// cannot keep; and a parameter that an address does not take.
import { describe, expect, test } from 'vitest'
import { routes as extRoutes } from '../../src/http/ext/routes.ts'
import { routes as sdmxRoutes } from '../../src/http/sdmx/routes.ts'
import { routes as v1Routes } from '../../src/http/v1/routes.ts'
import { openConsole, tableOfRoutes } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { withMoney } from '../support/houses/priced-tenant.ts'

const console = ownHouse(openConsole)
const apis = { '/v1': v1Routes, '/ext/v1': extRoutes, '/sdmx/v2': sdmxRoutes }
const named = (path: string, name: string) => path.replaceAll(/\{\w+\}|:\w+/g, name)

describe.each(Object.entries(apis))('%s', (prefix, routes) => {
  test('finds nothing by an identifier with U+0000, and refuses a parameter with it', async () => {
    const { authorization: headers } = await withMoney(console.tenant)
    for (const { path, body, parameters } of routes) {
      if (body !== null) continue
      const [first] = Object.keys(parameters)
      const addresses: readonly (readonly [address: string, status: number])[] = [
        ...(path.includes('{') ? [[named(path, 'a%00b'), 404] as const] : []),
        ...(first === undefined ? [] : [[`${named(path, 'none')}?${first}=a%00b`, 400] as const]),
      ]
      for (const [address, expected] of addresses) {
        const { status, text } = await console.api.ask(`${prefix}${address}`, { headers })
        expect([address, status, text.includes('U+0000')]).toEqual([address, expected, expected === 400])
      }
    }
  })

  test('refuses a parameter that an address does not take, also where there is nothing', async () => {
    const { authorization: headers } = await withMoney(console.tenant)
    for (const { path, body } of routes) {
      if (body !== null) continue
      const address = `${prefix}${named(path, 'none')}?unheardOf=1`
      const { status, text } = await console.api.ask(address, { headers })
      expect([address, status, text.includes('unheardOf')]).toEqual([address, 400, true])
    }
  })
})

describe('the console', () => {
  test('refuses U+0000 in an address, a parameter and a body, and half of a character', async () => {
    const { api, as, slug } = console
    for (const { method, path, takes, roles, isForOperators, schema } of tableOfRoutes(api)) {
      if (isForOperators === true || roles?.includes('owner') === false) continue
      const address = `/w/${slug}${named(path, 'none')}`
      const replies = [
        await as.owner.ask(`${address}?q=a%00b`, { method: 'GET' }),
        ...(method === 'GET' || takes === 'file' || schema.body === undefined
          ? []
          : [
              await as.owner.send(method, address, { text: 'a\0b' }),
              await as.owner.send(method, address, { text: 'a\ud800b' }),
            ]),
      ]
      for (const { status, text } of replies)
        expect([`${method} ${path}`, status, text.includes('U+0000')]).toEqual([`${method} ${path}`, status, true])
      for (const { status } of replies) expect(status).toBeOneOf([400, 422])
    }
  })
})
