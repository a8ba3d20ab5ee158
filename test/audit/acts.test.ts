// That every act is told, and as what: no route and no command is left out, and each kind of act is a line of its class of OCSF.
import { expect, test } from 'vitest'
import { ocsfLine } from '../../src/audit/ocsf.ts'
import { commands } from '../../src/cli/commands.ts'
import { allActs } from '../../src/core/people/acts.ts'
import { routes as ext } from '../../src/http/ext/routes.ts'
import { routes as sdmx } from '../../src/http/sdmx/routes.ts'
import { routes as v1 } from '../../src/http/v1/routes.ts'
import { apiActs, commandActs, publicActs, type Told, workspaceActs } from './acts-of-routes.ts'
import { ocsfProblems } from './ocsf-schema.ts'

const tables: readonly Readonly<Record<string, Told>>[] = [publicActs, workspaceActs, apiActs, commandActs]

test('every command tells its acts or has a reason why it tells none, and the table names no other', () => {
  expect(Object.keys(commandActs)).toEqual(Object.keys(commands))
})

test('what is sent to the APIs tells its acts or has a reason; the rest of them reads', () => {
  const asked = [...v1, ...ext, ...sdmx].flatMap(({ body, path }) => (body === null ? [] : [`POST ${path}`]))
  expect(asked).toEqual(Object.keys(apiActs))
})

test('every kind of act is done by a route or a command', () => {
  const told = new Set<string>(
    tables.flatMap(table => Object.values(table).flatMap(each => ('notAnAct' in each ? [] : each))),
  )
  expect(allActs.filter(act => !told.has(act))).toEqual([])
})

const noted = {
  id: 'aud_01k9zzzzzzzzzzzzzzzzzzzzzz',
  number: 7,
  at: '2026-03-01T08:00:00.123456Z',
  who: 'olga@owner.test',
  personId: 'usr_1',
  fromAddress: '192.0.2.7',
  said: 'said so',
  subject: 'sam@supplier.test',
}

test.each(allActs)('%s is a line of its class', act => {
  for (const tenant of ['installation', 'wsp_01k9zzzzzzzzzzzzzzzzzzzzzz'])
    for (const fromAddress of ['192.0.2.7', null]) {
      const line = ocsfLine({ ...noted, tenant, act, fromAddress })
      expect(ocsfProblems(JSON.parse(line))).toEqual([])
      expect(line).not.toContain('\n')
    }
})

test('an act of a newer program is still told, as a change of something unknown', () => {
  const line = ocsfLine({ ...noted, tenant: 'installation', act: 'moon.landing' })
  expect(ocsfProblems(JSON.parse(line))).toEqual([])
  expect(JSON.parse(line)).toMatchObject({ entity: { type: 'unknown' }, metadata: { event_code: 'moon.landing' } })
})

test('a very long name is cut, so that a line is bounded', () => {
  const line = ocsfLine({ ...noted, tenant: 'installation', act: 'key.create', subject: 'x'.repeat(100_000) })
  expect(line.length).toBeLessThan(5_000)
})
