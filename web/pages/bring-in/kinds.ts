// Kinds of files in words: the name of each, its effect, and an example of it in the usual form.
import type { ImportKind } from '../../../src/core/invoices/table-kinds.ts'

interface KindWords {
  readonly label: string
  readonly what: string
  readonly example: string
  readonly columns: readonly (readonly [name: string, words: string])[]
}

export const kindWords: Readonly<Record<ImportKind, KindWords>> = {
  observations: {
    label: 'Figures of series',
    what: 'Values of indices and prices of your own, by period.',
    example: 'series,period,value\nCUSTOM/scrap-e3,2024-01,351.20\n',
    columns: [],
  },
  prices: {
    label: 'Price list',
    what: 'The items of one agreement with their base prices; a new version if the list differs.',
    example:
      'item,price,currency,per,unit,from_quantity\nBR-100,12.40,EUR,1,piece,0\nBR-100,11.90,EUR,1,piece,1000\nBR-200,88.50,EUR,100,piece,0\n',
    columns: [
      ['item, price', 'The key of the item and its base price. Required.'],
      ['currency', 'As the contract’s. Required, unless you say it for the whole file.'],
      ['per, unit', 'The quantity that the price is for: 1 of the contract’s unit, unless written.'],
      ['from_quantity', 'The quantity from which the price of the row applies.'],
      ['base, share, round', 'The period of the base price, the part that moves, and the rounding.'],
      ['valid_from, valid_to, replaces', 'When the item may be billed, and the key it had before.'],
      ['erp_…', 'Keys of other systems, which come back in price files.'],
    ],
  },
  invoices: {
    label: 'Invoice lines',
    what: 'Checked against the settled prices, with the mistake behind a difference; kept if you want.',
    example:
      'invoice,line,agreement,item,quantity,unit_price,amount,date\n4711,1,steel-brackets,BR-100,100,12.73,1273.00,2024-05-10\n',
    columns: [
      ['invoice, line', 'The number of the invoice and of its line. Required.'],
      [
        'agreement, contract_ref, item',
        'The agreement and the item of the price. A missing agreement is found by the reference or by the item.',
      ],
      ['quantity, unit', 'Negative in a credit note. Another unit needs a factor.'],
      ['unit_price, per, amount, currency', 'At least the unit price or the amount.'],
      ['date, service_from, service_to, order_date', 'The contract says which of them decides the price.'],
      ['supplier, kind', 'The company that wrote the invoice; INVOICE, CREDIT_NOTE, DEBIT_NOTE or CORRECTION.'],
    ],
  },
  quantities: {
    label: 'Quantities',
    what: 'The quantity of an item bought in a period, if no invoices are kept; the newest quantity counts.',
    example: 'agreement,item,period,quantity\nsteel-brackets,BR-100,2024-Q2,12000\n',
    columns: [['agreement, item, period, quantity', 'Required; the item may be empty if there is only one.']],
  },
  units: {
    label: 'Unit factors',
    what: 'Factors between units, for invoice lines in another unit; used both ways.',
    example: 'unit,other,factor\nKGM,TNE,0.001\nbox,piece,12\n',
    columns: [['unit, other, factor', 'The number of the other unit that makes one of the unit. Required.']],
  },
  agreements: {
    label: 'Agreements',
    what: 'Many agreements at once, one row each, from a template of the clause: an agreement of this workspace, or a built-in template.',
    example:
      'name,supplier,price,currency,unit,start,end\nSteel tubes 40 mm,nordstahl,263.19,EUR,m,2024-01-01,2026-12-31\n',
    columns: [
      ['name, price, start', 'The name, the price at the start and the first day. Required.'],
      ['slug', 'The address of the agreement; made from the name where it is left out.'],
      ['supplier', 'The slug or name of a party, or e-mail addresses. Left out: as in the template.'],
      ['currency, unit, end, frequency, first_adjustment', 'As in the template, unless written.'],
      ['item', 'The article that has this price: a price list with this one item is made for the agreement.'],
      ['references', 'Texts by which invoices name the contract, separated by semicolons.'],
      ['inputs.steel.base', 'Any field of an input by its name, such as inputs.steel.weight.'],
    ],
  },
}
