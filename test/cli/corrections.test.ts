// Corrections by command, through the real storage: proposed by the policy or by hand, signed by both, refused, superseded,
// waived, billed by notes; and every edge case.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { proposeCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { Seal } from '../../src/agreements/seal.ts'
import type { ShownCorrection } from '../../src/read/agreements/correction-view.ts'
import { changeMember } from '../../src/storage/people/member-changes.ts'
import { createMember, findMember } from '../../src/storage/people/people.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openPriceHouse } from '../support/houses/price-house.ts'
import {
  billedInQ2,
  finalMarch,
  firstPrints,
  openTrueUpHouse,
  type TrueUpChanges,
  type TrueUpHouse,
  trueUpDocument,
} from '../support/houses/true-up-house.ts'
import { longTest } from '../support/run/long-test.ts'

const house = ownHouse(openCommandHouse)

const buyer = ['--party', 'buyer', '--as', 'ann@buyer.test'] as const
const supplier = ['--party', 'supplier', '--as', 'sam@supplier.test'] as const

/** Billed at 106.00, then the final value of March is out. */
async function revised(changes: TrueUpChanges = {}): Promise<TrueUpHouse> {
  const ground = await openTrueUpHouse(changes, house)
  await ground.importLines(billedInQ2)
  await ground.importFigures(finalMarch)
  return ground
}
const propose = (ground: TrueUpHouse, ...words: string[]) =>
  ground.json<ShownCorrection>('correction', 'propose', 'steel-brackets', ...words)
const sign = (ground: TrueUpHouse, id: string, ...words: string[]) =>
  ground.json<ShownCorrection>('correction', 'sign', id, ...words)
const show = (ground: TrueUpHouse, id: string) => ground.json<ShownCorrection>('correction', 'show', id)
/** What the two commands do, for tests of what comes afterwards. */
async function agreed({ house: { installation }, workspace }: TrueUpHouse): Promise<ShownCorrection> {
  const { sql } = installation
  const seal = new Seal(installation.ring)
  const { correction } = await proposeCorrection(sql, seal, {
    workspaceId: workspace.id,
    agreement: 'steel-brackets',
    reason: null,
    by: { who: 'operator', fromAddress: null },
  })
  const request = { workspaceId: workspace.id, id: correction.id, hash: null, fromAddress: null }
  const proof = { means: 'OPERATOR' } as const
  await signCorrection(sql, seal, { ...request, proof, party: 'buyer', email: 'ann@buyer.test' })
  return signCorrection(sql, seal, { ...request, proof, party: 'supplier', email: 'sam@supplier.test' })
}
const publish = (ground: TrueUpHouse, period: string, value: string, published: string, version = 'REVISED') =>
  ground.importFigures(
    `series,period,value,version,published\nCUSTOM/metal,${period},${value},${version},${published}\n`,
  )

describe('correction propose', () => {
  test('covers every due period, with the figures, the prices and the lines behind it', async () => {
    const ground = await revised()
    const proposed = await propose(ground)
    expect(proposed).toMatchObject({
      id: expect.stringMatching(/^cor_[0-9a-z]{26}$/),
      agreement: 'steel-brackets',
      state: 'PROPOSED',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      level: 'HEAL',
      net: '-250.00',
      currency: 'EUR',
      reason: null,
      causes: [{ series: 'CUSTOM/metal', period: '2024-03', before: '106.0', after: '103.5', tag: 'FINAL' }],
      periods: [
        {
          period: '2024-Q2',
          factorBefore: '1.06',
          factorAfter: '1.035',
          priceBefore: '106.00',
          priceAfter: '103.50',
          amount: '-250.00',
        },
      ],
      lines: [{ invoice: '4711', line: '1', item: 'steel-brackets', quantity: '100', amount: '-250.00' }],
      confirmed: { buyer: null, supplier: null },
      notes: [],
    })
    expect(await propose(ground)).toEqual(proposed)
    expect(await ground.json('correction', 'list', 'steel-brackets')).toEqual({ data: [proposed] })
  })

  test('is refused with a sentence where nothing is due', async () => {
    const ground = await openTrueUpHouse({}, house)
    const { error } = await ground.refused('correction', 'propose', 'steel-brackets')
    expect(error).toBe('steel-brackets: nothing is due')
    await publish(ground, '2024-03', '103.9', '2024-05-12', 'PRELIMINARY')
    expect((await ground.refused('correction', 'propose', 'steel-brackets')).error).toBe(
      'steel-brackets: nothing is due: 2024-Q2 is waiting for final figures',
    )
  })

  test('by hand needs a reason, and says it', async () => {
    const ground = await revised({ corrections: null })
    expect((await ground.refused('correction', 'propose', 'steel-brackets')).error).toBe(
      'steel-brackets: nothing is due: 2024-Q2 is not covered by any policy: propose by hand, with a reason',
    )
    const { status, err } = await ground.run('correction', 'propose', 'steel-brackets', '--by-hand')
    expect([status, err]).toEqual([2, expect.stringContaining('--by-hand needs --reason')])
    const proposed = await propose(ground, '--by-hand', '--reason', 'agreed on the phone')
    expect(proposed).toMatchObject({ reason: 'agreed on the phone', net: '-250.00', state: 'PROPOSED' })
  })

  longTest('commands', 'has a null amount where neither lines nor quantities are kept', async () => {
    const ground = await openTrueUpHouse({}, house)
    await ground.importFigures(finalMarch)
    expect(await propose(ground)).toMatchObject({
      net: null,
      lines: [],
      periods: [{ period: '2024-Q2', amount: null }],
    })
  })

  longTest('commands', 'prices declared quantities where no lines are kept', async () => {
    const ground = await openTrueUpHouse({}, house)
    const table = 'agreement,item,period,quantity\nsteel-brackets,steel-brackets,2024-Q2,40\n'
    await ground.json('quantity', 'import', await ground.file('quantities.csv', table))
    await ground.importFigures(finalMarch)
    expect(await propose(ground)).toMatchObject({ net: '-100.00', lines: [{ invoice: null, quantity: '40' }] })
  })
})

describe('correction sign', () => {
  test('is agreed once both have signed, and stands from then on', async () => {
    const ground = await revised()
    const { id, hash } = await propose(ground)
    expect(await sign(ground, id, ...buyer, '--hash', hash)).toMatchObject({ state: 'SIGNED_BY_BUYER' })
    const both = await sign(ground, id, ...supplier, '--hash', hash)
    expect(both).toMatchObject({ state: 'AGREED', hash })
    expect(await sign(ground, id, ...buyer)).toEqual({ ...both, slips: [] })
    expect((await ground.refused('correction', 'propose', 'steel-brackets')).error).toBe(
      'steel-brackets: nothing is due',
    )
    const { data } = await ground.json<{ data: { price: string; status: string }[] }>(
      'prices',
      'list',
      'steel-brackets',
      '--period',
      '2024-Q2',
    )
    expect(data).toMatchObject([{ price: '103.50', status: 'AGREED' }])
    const settled = `103.50 EUR per piece since 2024-04-01 (2024-Q2), corrected from 106.00 by ${id}`
    expect((await ground.run('adjustment', 'steel-brackets', '--period', '2024-Q2')).out).toContain(
      `Settled ${settled}`,
    )
    expect((await ground.run('agreement', 'show', 'steel-brackets')).out).toContain('Settled\n  105.00 EUR per piece')
    expect((await ground.run('adjustment', 'steel-brackets')).out).toContain('Proposed, not signed by both')
  })

  test('accepts a repeated signature, and refuses somebody of the other side', async () => {
    const ground = await revised()
    const { id } = await propose(ground)
    const { error } = await ground.refused('correction', 'sign', id, '--party', 'supplier', '--as', 'ann@buyer.test')
    expect(error).toContain("is on the buyer's side")
  })

  longTest('commands', 'refuses a proposal that has changed, with its net and its hash', async () => {
    const ground = await revised()
    const first = await propose(ground)
    await sign(ground, first.id, ...buyer)
    await ground.importLines(billedInQ2.replaceAll('4711', '4712'))
    const { error } = await ground.refused('correction', 'sign', first.id, ...supplier)
    const second = await propose(ground)
    expect(second).toMatchObject({ net: '-500.00', state: 'PROPOSED' })
    expect(error).toBe(`the proposal has moved: its net is now -500.00 EUR, hash ${second.hash}`)
    expect(await show(ground, first.id)).toMatchObject({ state: 'SUPERSEDED', confirmed: { supplier: null } })
    expect((await ground.refused('correction', 'sign', first.id, ...supplier)).error).toContain(
      'the proposal has moved',
    )
    const wrong = await ground.refused('correction', 'sign', second.id, ...buyer, '--hash', first.hash)
    expect(wrong.error).toContain(`hash ${second.hash}`)
  })

  longTest('commands', 'is possible after the agreement has expired, and not while it is archived', async () => {
    const ground = await revised()
    const { id } = await propose(ground)
    await ground.apply(trueUpDocument({ status: 'ARCHIVED' }))
    expect((await ground.refused('correction', 'sign', id, ...buyer)).error).toBe(
      'steel-brackets is ARCHIVED; prices are corrected only while it is ACTIVE or EXPIRED',
    )
    await ground.apply(trueUpDocument({ status: 'EXPIRED' }))
    expect(await sign(ground, id, ...buyer)).toMatchObject({ state: 'SIGNED_BY_BUYER' })
  })
})

describe('correction refuse', () => {
  test('says no with a reason; the same can be proposed again under a new id', async () => {
    const ground = await revised()
    const { id, hash } = await propose(ground)
    await sign(ground, id, ...buyer)
    expect((await ground.refused('correction', 'refuse', id, ...buyer, '--reason', 'no')).error).toContain('has signed')
    const refused = await ground.json<ShownCorrection>(
      'correction',
      'refuse',
      id,
      ...supplier,
      '--reason',
      'not like this',
    )
    expect(refused).toMatchObject({ state: 'REFUSED', refusal: { party: 'supplier', reason: 'not like this' } })
    expect((await ground.refused('correction', 'sign', id, ...supplier)).error).toContain('refused it: not like this')
    const again = await propose(ground)
    expect(again).toMatchObject({ hash, state: 'PROPOSED', confirmed: { buyer: null, supplier: null } })
    expect(again.id).not.toBe(id)
  })
})

describe('correction waive', () => {
  test('replaces it with a waiver, which both sign', async () => {
    const ground = await revised()
    const { id } = await propose(ground)
    const waiver = await ground.json<ShownCorrection>('correction', 'waive', id)
    expect(waiver).toMatchObject({ waived: true, net: '-250.00', parts: [], state: 'PROPOSED' })
    expect(await show(ground, id)).toMatchObject({ state: 'SUPERSEDED' })
    await ground.json('correction', 'waive', id, ...buyer)
    expect(await ground.json('correction', 'waive', id, ...supplier)).toMatchObject({ id: waiver.id, state: 'AGREED' })
    expect(
      (await ground.refused('correction', 'note', waiver.id, '--number', 'C1', '--date', '2024-09-01')).error,
    ).toContain('is waived')
  })

  longTest('commands', 'is the proposal itself if the contract waives small amounts', async () => {
    const ground = await revised({ corrections: '{ when: FINAL, min: { amount: 300, below: WAIVE } }' })
    expect(await propose(ground)).toMatchObject({ waived: true, net: '-250.00' })
  })
})

describe('correction note', () => {
  const note = (ground: TrueUpHouse, id: string, ...words: string[]) =>
    ground.json<{ part: number; amount: string; text: string; fileHash: string }>('correction', 'note', id, ...words)

  test('writes each corrected line with the invoice it points at, and remembers the document', async () => {
    const ground = await revised()
    const open = await propose(ground)
    const words = ['--number', 'CN-1', '--date', '2024-09-01'] as const
    expect((await ground.refused('correction', 'note', open.id, ...words)).error).toContain('have not both signed')
    const { id } = await agreed(ground)
    const issued = await note(ground, id, ...words)
    expect(issued).toMatchObject({ part: 1, amount: '-250.00' })
    expect(issued.text.split('\r\n')[1]).toBe(
      `CN-1,2024-09-01,${id},steel-brackets,1,steel-brackets,2024-Q2,4711,1,100,106.00,103.50,1,-250.00,EUR,`,
    )
    expect(await note(ground, id, ...words)).toEqual(issued)
    expect((await ground.refused('correction', 'note', id, '--number', 'CN-2', '--date', '2024-09-01')).error).toBe(
      `${id} is billed already: CN-1`,
    )
    expect(await show(ground, id)).toMatchObject({ notes: [{ number: 'CN-1', date: '2024-09-01', amount: '-250.00' }] })
  })

  longTest('commands', 'bills a spread amount part by part, the last with the cents left over', async () => {
    const ground = await revised({ corrections: '{ when: FINAL, settle: { spread: 3 } }' })
    const { id, parts } = await agreed(ground)
    expect(parts).toEqual(['-83.33', '-83.33', '-83.34'])
    for (const [i, amount] of parts.entries())
      expect(await note(ground, id, '--number', `P${i}`, '--date', '2024-09-01')).toMatchObject({ part: i + 1, amount })
  })

  test('names with their rules what an electronic note lacks, and keeps no number then', async () => {
    const ground = await revised()
    const { id } = await agreed(ground)
    const words = ['--number', 'CN-1', '--date', '2024-09-01', '--ubl', '--profile'] as const
    const bad = await ground.file('bad.yaml', 'supplier: { name: Ohio Forge, land: US }\ntax: { category: X }\n')
    expect((await ground.refused('correction', 'note', id, ...words, bad)).error).toBe(
      'the billing file cannot be used: supplier.land is not known; tax.category must be one of S, Z, E, AE, K, G, O, got "X"',
    )
    const short = await ground.file('short.yaml', 'supplier: { name: Ohio Forge, country: US }\ntax: { category: S }\n')
    expect((await ground.refused('correction', 'note', id, ...words, short)).error).toBe(
      'the note would be refused by who receives it; it needs buyer.country: an address of the buyer (BR-10, BR-11); supplier.vat: a VAT identifier, a registration number or another identifier (BR-CO-26, BR-S-02); tax.rate: the rate in percent, such as 20 (BR-48, BR-S-05)',
    )
    expect((await show(ground, id)).notes).toEqual([])
  })

  test('is a UBL credit note with the file that the documentation shows', async () => {
    const ground = await revised()
    const { id } = await agreed(ground)
    const [, example] = /```yaml\n(supplier:[^`]*)```/.exec(await readFile('docs/NOTES.md', 'utf8'))!
    const words = ['--number', 'CN-1', '--date', '2024-09-01', '--ubl', '--profile'] as const
    const { text } = await note(ground, id, ...words, await ground.file('billing.yaml', example!))
    expect(text).toContain('<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>')
    expect(text).toContain('<cac:InvoiceDocumentReference><cbc:ID>4711</cbc:ID>')
    expect(text).toContain('<cbc:CreditedQuantity unitCode="C62">100</cbc:CreditedQuantity>')
    expect(text).toContain('<cbc:PriceAmount currencyID="EUR">2.5</cbc:PriceAmount>')
    expect(text).toContain('<cbc:PayableAmount currencyID="EUR">300.00</cbc:PayableAmount>')
    expect(text).toContain('<cbc:BuyerReference>')
  })

  test('needs no file where both parties keep their details, and stays as it was issued', async () => {
    const ground = await openPriceHouse(house)
    await ground.importFigures(firstPrints)
    for (const [party, name] of [
      ['ohio', 'Ohio Forge'],
      ['graz', 'Graz Assembly'],
    ] as const)
      await ground.json('party', 'create', party, '--name', name)
    await ground.apply(trueUpDocument({ parties: '{ buyer: graz, supplier: ohio }' }))
    const { sql } = ground.house.installation
    const operator = { who: 'operator', fromAddress: null }
    const ann = await findMember(sql, ground.workspace.id, 'ann@buyer.test')
    await changeMember(sql, ground.workspace.id, ann!.id, { company: 'graz' }, operator)
    const sam = { email: 'sam@supplier.test', name: 'Sam', role: 'supplier', company: 'ohio' } as const
    await createMember(sql, ground.workspace.id, sam, operator)
    await ground.signBoth('steel-brackets', '2024-Q2')
    await ground.importLines(billedInQ2)
    await ground.importFigures(finalMarch)
    const { id } = await agreed(ground)
    const set = (slug: string, ...fields: string[]) =>
      ground.json<{ changed: boolean }>('party', 'billing', slug, ...fields.flatMap(each => ['--set', each]))
    await set('ohio', 'country=US', 'vat=ATU12345678', 'tax.category=S', 'tax.rate=20', 'contact.name=Kim Lee')
    await set('graz', 'country=AT', 'language=de')
    expect((await ground.refused('party', 'billing', 'graz', '--set', 'country=Austria')).error).toBe(
      'country must be two capital letters, such as AT, got "Austria"',
    )
    expect(await set('graz', 'language=de')).toMatchObject({ changed: false })
    const words = ['--number', 'CN-1', '--date', '2024-09-01'] as const
    const ubl = await note(ground, id, ...words, '--ubl', '--order', 'PO-7')
    expect(ubl.text).toContain('<cbc:RegistrationName>Ohio Forge</cbc:RegistrationName>')
    expect(ubl.text).toContain('<cac:OrderReference><cbc:ID>PO-7</cbc:ID></cac:OrderReference>')
    expect(ubl.text).toContain('103,50 statt 106,00')
    await set('ohio', 'vat=ATU99999999', 'contact.name=')
    expect(await note(ground, id, ...words, '--ubl')).toEqual(ubl)
    const cii = await note(ground, id, ...words, '--cii')
    expect(cii.text).toContain('<ram:IssuerAssignedID>PO-7</ram:IssuerAssignedID>')
    // Written again, it is the same file to the byte, whatever the parties keep by then.
    await set('graz', 'country=DE', 'language=fr')
    expect(await note(ground, id, ...words, '--cii')).toEqual(cii)
    expect((await note(ground, id, ...words, '--print', '--language', 'fr')).text).toContain('<h1>Avoir CN-1</h1>')
    expect((await ground.refused('correction', 'note', id, ...words, '--ubl', '--order', 'PO-8')).error).toBe(
      'CN-1 was issued with other details: write it again without them',
    )
  })
})

describe('what comes after an agreed correction', () => {
  longTest('commands', 'a second revision adds the rest to the first', async () => {
    const ground = await revised({ corrections: '{ when: EACH }' })
    await agreed(ground)
    await publish(ground, '2024-03', '104.0', '2024-10-01')
    const second = await propose(ground)
    expect(second).toMatchObject({ net: '50.00', periods: [{ factorBefore: '1.035', factorAfter: '1.04' }] })
    await sign(ground, second.id, ...buyer)
    expect(await sign(ground, second.id, ...supplier)).toMatchObject({ state: 'AGREED' })
  })

  test('an invoice that arrives late is priced at the settled price', async () => {
    const ground = await revised()
    await agreed(ground)
    await ground.importLines(billedInQ2.replaceAll('4711', '4799'))
    expect((await ground.refused('correction', 'propose', 'steel-brackets')).error).toBe(
      'steel-brackets: nothing is due',
    )
    const check = {
      lines: [
        {
          invoice: '1',
          line: '1',
          agreement: 'steel-brackets',
          quantity: '1',
          unitPrice: '106.00',
          date: '2024-05-10',
        },
      ],
    }
    const { data } = await ground.json<{ data: { outcome: string; reason: { code: string } }[] }>(
      'invoice',
      'check',
      await ground.file('check.json', JSON.stringify(check)),
    )
    expect(data).toMatchObject([{ outcome: 'OVER', reason: { code: 'BEFORE_CORRECTION' } }])
  })

  longTest(
    'commands',
    'periods that are not signed continue from the restated state under REBASE, and from the signed one under HEAL',
    async () => {
      const numbers = async (level: string) => {
        const ground = await revised({
          clause: '{ basis: CHAINED, cap: { periodPct: 4 } }',
          corrections: `{ when: FINAL, level: ${level} }`,
        })
        await agreed(ground)
        const { data } = await ground.json<{ data: { factor: string }[] }>(
          'prices',
          'list',
          'steel-brackets',
          '--period',
          '2024-Q4',
        )
        return data[0]!.factor
      }
      expect(await numbers('REBASE')).toBe('1.07')
      expect(Number.parseFloat(await numbers('HEAL'))).toBeCloseTo(1.04981, 5)
    },
  )
})

describe('the receipt of a correction', () => {
  test('is checked offline by verify, and a changed one is refused', async () => {
    const ground = await revised()
    const { id } = await agreed(ground)
    const { out } = await ground.run('correction', 'show', id, '--receipt')
    const good = await house.run(['verify', await ground.file('c.json', out)])
    expect([good.status, good.out.split('\n')[0]]).toEqual([
      0,
      'same: the correction of steel-brackets comes to -250.00 EUR (edition 2, periods: 1, lines: 1, receipts: 2)',
    ])
    expect(good.out).toContain('signed for the buyer by Ann (ann@buyer.test)')
    const bad = await house.run(['verify', await ground.file('d.json', out.replaceAll('"103.50"', '"103.60"'))])
    expect([bad.status, bad.err]).toEqual([1, expect.stringContaining('different: ')])
    const json = await house.run(['verify', await ground.file('e.json', out), '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ same: true, recomputes: true, net: '-250.00', periods: ['2024-Q2'] })
  })
})

describe('edges', () => {
  test('a final value that equals the preliminary one changes nothing', async () => {
    const ground = await openTrueUpHouse({}, house)
    await publish(ground, '2024-03', '106.0', '2024-08-13', 'FINAL')
    expect((await ground.refused('correction', 'propose', 'steel-brackets')).error).toBe(
      'steel-brackets: nothing is due',
    )
  })

  longTest(
    'commands',
    'a period that only one side has signed is not corrected: its proposal has changed',
    async () => {
      const ground = await openTrueUpHouse({ corrections: '{ when: EACH }' }, house)
      await ground.json('pam', 'sign', 'steel-brackets', '--period', '2024-Q4', ...buyer)
      await publish(ground, '2024-09', '109.0', '2024-12-01')
      expect((await ground.refused('correction', 'propose', 'steel-brackets')).error).toBe(
        'steel-brackets: nothing is due',
      )
    },
  )

  longTest('commands', 'a credit note among the lines counts by its sign, and an undone line not at all', async () => {
    const ground = await openTrueUpHouse({}, house)
    const credit = '4712,1,steel-brackets,steel-brackets,-20,106.00,-2120.00,EUR,2024-05-20\n'
    await ground.importLines(`${billedInQ2}${credit}`)
    await ground.importLines(billedInQ2.replaceAll('4711', '4799'))
    await ground.json('invoice', 'reverse', '4799')
    await ground.importFigures(finalMarch)
    const { net, lines } = await propose(ground)
    expect([net, lines.map(({ invoice, amount }) => `${invoice} ${amount}`)]).toEqual([
      '-200.00',
      ['4711 -250.00', '4712 50.00'],
    ])
  })

  longTest('commands', 'what is older than the contract corrects has lapsed', async () => {
    const ground = await revised({ corrections: '{ when: FINAL, within: { months: 3, of: PERIOD } }' })
    expect((await ground.refused('correction', 'propose', 'steel-brackets')).error).toBe(
      'steel-brackets: nothing is due: 2024-Q2 is lapsed',
    )
  })
})
