// Rules about the tax: each category asks for identifiers, rates, sums and reasons of its own, by the same numbers.

import { roundMoney } from '../../../core/numbers/money.ts'
import { divide, equal, hundred, multiply, sum, zero } from '../../../core/numbers/ratio.ts'
import type { NoteDocument, TaxGroup } from '../note-document.ts'
import { isEmpty, type NoteRule, rule } from './rule.ts'

type Reason = 'none' | 'needed'

interface Category {
  readonly code: string
  /** The category's name in the numbers of the rules. */
  readonly name: string
  readonly rate: 'some' | 'zero' | 'none'
  readonly reason: Reason
  /** The identifiers that the parties must, or must not, have. */
  readonly ids: 'seller' | 'both' | 'both with register' | 'nobody'
}

export const taxRuleCategories: readonly Category[] = [
  { code: 'S', name: 'S', rate: 'some', reason: 'none', ids: 'seller' },
  { code: 'Z', name: 'Z', rate: 'zero', reason: 'none', ids: 'seller' },
  { code: 'E', name: 'E', rate: 'zero', reason: 'needed', ids: 'seller' },
  { code: 'AE', name: 'AE', rate: 'zero', reason: 'needed', ids: 'both with register' },
  { code: 'K', name: 'IC', rate: 'zero', reason: 'needed', ids: 'both' },
  { code: 'G', name: 'G', rate: 'zero', reason: 'needed', ids: 'seller' },
  { code: 'O', name: 'O', rate: 'none', reason: 'needed', ids: 'nobody' },
]

const groupsOf = ({ taxes }: NoteDocument, code: string) => taxes.filter(({ category }) => category === code)
const linesOf = ({ lines }: NoteDocument, code: string) => lines.filter(({ category }) => category === code)

function identityRules({ code, name, ids }: Category): readonly NoteRule[] {
  const has = (document: NoteDocument) => linesOf(document, code).length > 0
  const lacksSeller = ({ supplier }: NoteDocument, isVatOnly: boolean) =>
    isEmpty(supplier.vat) && (isVatOnly || isEmpty(supplier.taxNumber))
  const buyer = (isRegister: boolean) =>
    rule(
      `BR-${name}-02`,
      'buyer.vat',
      isRegister ? 'the VAT identifier or the registration number of the buyer' : 'the VAT identifier of the buyer',
      document => has(document) && isEmpty(document.buyer.vat) && (!isRegister || isEmpty(document.buyer.id?.id)),
    )
  if (ids === 'nobody')
    return [
      rule(`BR-${name}-02`, 'supplier.vat', 'no VAT identifier: the sale is not subject to tax', document => {
        return has(document) && !(isEmpty(document.supplier.vat) && isEmpty(document.buyer.vat))
      }),
    ]
  const isVatOnly = code === 'K' || code === 'G'
  const what = isVatOnly ? 'the VAT identifier of the supplier' : 'the VAT identifier or the tax number of the supplier'
  const seller = rule(`BR-${name}-02`, 'supplier.vat', what, document => {
    return has(document) && lacksSeller(document, isVatOnly)
  })
  return ids === 'seller' ? [seller] : [seller, buyer(ids === 'both with register')]
}

function rateRule({ code, name, rate }: Category): NoteRule {
  const needs = { some: 'a rate above 0', zero: 'a rate of 0', none: 'no rate' }[rate]
  return rule(`BR-${name}-05`, 'tax.rate', `${needs} with category ${code}`, document =>
    linesOf(document, code).some(({ rate: own }) => {
      if (rate === 'none') return own !== null
      return own === null || (rate === 'zero' ? own.n !== 0n : own.n <= 0n)
    }),
  )
}

function rulesOf(category: Category): readonly NoteRule[] {
  const { code, name, rate, reason } = category
  const hasReason = ({ exemption, exemptionCode }: TaxGroup) => !(isEmpty(exemption) && isEmpty(exemptionCode))
  return [
    rule(`BR-${name}-01`, 'tax.category', `one sum of the tax of category ${code}`, document => {
      const [groups, lines] = [groupsOf(document, code), linesOf(document, code)]
      return lines.length > 0 ? groups.length === 0 : groups.length > 0
    }),
    ...identityRules(category),
    rateRule(category),
    rule(`BR-${name}-08`, 'lines', `lines of category ${code} that come to the taxable amount`, document =>
      groupsOf(document, code).some(group => {
        const own = linesOf(document, code).filter(line => rate !== 'some' || isSameRate(line.rate, group.rate))
        return !equal(sum(own.map(({ amount }) => amount)), group.taxable)
      }),
    ),
    rule(`BR-${name}-09`, 'tax.rate', `a tax of category ${code} that follows from its rate`, document =>
      groupsOf(document, code).some(group => !isTaxOf(group, document.currency)),
    ),
    rule(
      `BR-${name}-10`,
      'tax.exemption',
      reason === 'needed' ? `the reason why there is no tax with category ${code}` : `no reason with category ${code}`,
      document => groupsOf(document, code).some(group => hasReason(group) !== (reason === 'needed')),
    ),
  ]
}

function isSameRate(a: TaxGroup['rate'], b: TaxGroup['rate']): boolean {
  return a === null || b === null ? a === b : equal(a, b)
}

function isTaxOf({ taxable, rate, amount }: TaxGroup, currency: string): boolean {
  const wanted = rate === null ? zero : roundMoney(divide(multiply(taxable, rate), hundred), currency)
  return equal(amount, wanted)
}

export const taxRules: readonly NoteRule[] = [
  rule('BR-CO-04', 'tax.category', 'the tax category of each line, such as S', ({ lines }) =>
    lines.some(({ category }) => isEmpty(category)),
  ),
  rule('BR-47', 'tax.category', 'the category of each tax', ({ taxes }) =>
    taxes.some(({ category }) => isEmpty(category)),
  ),
  rule('BR-48', 'tax.rate', 'the rate in percent, such as 20', ({ taxes }) =>
    taxes.some(({ category, rate }) => rate === null && category !== 'O'),
  ),
  rule('BR-CO-17', 'tax.rate', 'a tax that is the taxable amount times its rate', ({ taxes, currency }) =>
    taxes.some(group => !isTaxOf(group, currency)),
  ),
  rule('BR-CO-18', 'tax.category', 'at least one sum of tax', ({ taxes }) => taxes.length === 0),
  rule('BR-CL-17', 'tax.category', `one of ${taxRuleCategories.map(({ code }) => code).join(', ')}`, ({ taxes }) =>
    taxes.some(({ category }) => category !== null && !taxRuleCategories.some(({ code }) => code === category)),
  ),
  rule('BR-CL-22', 'tax.exemptionCode', 'a code that begins with VATEX-', ({ taxes }) =>
    taxes.some(({ exemptionCode }) => exemptionCode !== null && !/^VATEX-[A-Z0-9-]+$/.test(exemptionCode)),
  ),
  ...taxRuleCategories.flatMap(rulesOf),
  rule('BR-IC-11', 'lines', 'the day of the supply, or the period that is billed', document => {
    return groupsOf(document, 'K').length > 0 && isEmpty(document.periodStart)
  }),
  rule('BR-IC-12', 'buyer.country', 'the country that goods went to', document => {
    return groupsOf(document, 'K').length > 0 && isEmpty(document.deliveryCountry)
  }),
  rule('BR-O-11', 'tax.category', 'no other category beside O', document => {
    return groupsOf(document, 'O').length > 0 && document.taxes.length > 1
  }),
  rule('BR-O-12', 'tax.category', 'no line of another category beside O', document => {
    return groupsOf(document, 'O').length > 0 && document.lines.some(({ category }) => category !== 'O')
  }),
]
