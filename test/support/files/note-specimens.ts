// A correction to be billed by a note, and billing files that keep every rule: what tests of notes begin with.
import type { CorrectionBody } from '../../../src/core/true-up/correction-body.ts'

const nobody = { name: null, details: {} }

/** One line of 100 pieces, for 2.50 less or more each. */
export function specimenNote(net: '-250.00' | '250.00') {
  const [priceBefore, priceAfter] = net === '-250.00' ? ['106.00', '103.50'] : ['103.50', '106.00']
  const share = { period: '2024-Q2', days: 1, per: '1', priceBefore, priceAfter }
  const line = { supplier: 'ohio', invoice: '4711', line: '1', item: 'A', period: '2024-Q2', quantity: '100' }
  const body = {
    pam: 'brackets',
    currency: 'EUR',
    net,
    settle: 'NOTE',
    parts: [net],
    lines: [{ ...line, shares: [share], amountBefore: '0', amountAfter: '0', amount: net }],
    periods: [{ period: '2024-Q2', adjustmentDate: '2024-04-01' }],
  } as unknown as CorrectionBody
  const kept = { supplier: nobody, buyer: nobody }
  return { correctionId: 'cor_x', number: 'CN-1', date: '2024-09-01', part: 1, body, kept }
}

/** With every reason that a category needs, and without identifiers where it allows none. */
export function specimenFile(category: string, isPeppol = true): string {
  const rate = category === 'S' ? 20 : 0
  const reason = ['E', 'AE', 'K', 'G', 'O'].includes(category) ? ', exemption: by law' : ''
  const vat = (id: string) => (category === 'O' ? '' : `  vat: ${id}\n`)
  const endpoint = (id: string) => (isPeppol ? `  endpoint: "${id}"\n` : '')
  return `supplier:
  name: Ohio Forge
  street: 1 Main St
  city: Akron
  zip: "44301"
  country: US
  id: R1
${vat('ATU12345678')}${endpoint('0088:5790000435951')}buyer:
  name: Graz Assembly
  city: Graz
  zip: "8010"
  country: AT
  reference: "4500012345"
${vat('ATU87654321')}${endpoint('9915:b')}payment: { iban: AT611904300234573201, days: 30 }
tax: { category: ${category}, rate: ${rate}${reason} }
`
}
