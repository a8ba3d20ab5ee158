// The demo's workspace with hundreds of contracts more, and a workspace in which nothing has been done yet.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Furniture, House, Name } from './house.ts'

const documentOf = (number: number) => `slug: contract-${`${number}`.padStart(3, '0')}
name: Contract ${number}
status: ACTIVE
contract: { start: 2026-03-01, frequency: QUARTERLY, price: { amount: ${10 + number}.00, currency: ${number % 2 === 0 ? 'EUR' : 'USD'}, unit: piece, round: { dp: 2 } } }
parties: { buyer: [ann@buyer.test], supplier: ${number % 3 === 0 ? 'peach-haulage' : 'ohio-forge'} }
inputs:
  steel: { series: BLS/WPU101, weight: 0.${50 + (number % 40)}, base: 2025-11, lag: 4 months }
clause: { fixed: 0.${50 - (number % 40)}, rounding: { total: { dp: 2 } } }
`

/** Contracts that follow steel, and one figure of it that was revised since. */
export async function seedContracts(command: House['command'], count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-many-'))
  try {
    for (let number = 1; number <= count; number++)
      await writeFile(join(folder, `${`${number}`.padStart(3, '0')}.yaml`), documentOf(number))
    await command('pam', 'apply', folder, '--workspace', 'demo')
    const revised = join(folder, 'revised.csv')
    await writeFile(revised, 'series,period,value,version,published\nBLS/WPU101,2026-05,349.020,REVISED,2026-11-10\n')
    await command('import', revised, '--workspace', 'demo')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function manyContracts(count: number): Furniture {
  return { name: `${count}-contracts`, make: command => seedContracts(command, count) }
}

/** The slug of a workspace that has people and nothing else. */
export async function openFreshWorkspace(house: House): Promise<string> {
  const slug = 'fresh'
  await house.command('workspace', 'create', slug, '--name', 'Fresh Foods Inc.')
  const roles: readonly (readonly [Name, string])[] = [
    ['olga', 'owner'],
    ['ann', 'buyer'],
    ['sam', 'supplier'],
  ]
  for (const [name, role] of roles) {
    const { email, password } = house.passwordOf(name)
    const said = await house.command('user', 'create', email, '--workspace', slug, '--role', role, '--json')
    const token = new URL((JSON.parse(said) as { setUpLink: string }).setUpLink).hash.slice(1)
    const answer = await fetch(`${house.address}/console/set-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: house.address },
      body: JSON.stringify({ token, password, isMember: true }),
    })
    if (!answer.ok) throw new Error(`joining answered ${answer.status}: ${await answer.text()}`)
  }
  return slug
}
