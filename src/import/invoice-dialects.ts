// The places of the lines of an electronic invoice: UBL 2.1 Invoice and CreditNote, and CII (Factur-X, XRechnung). Paths are
// made of local names, from the root for the document and from the line's element for a line.

export type HeaderSlot =
  | 'invoice'
  | 'typeCode'
  | 'currency'
  | 'date'
  | 'serviceFrom'
  | 'serviceTo'
  | 'contract'
  | 'order'
  | 'orderDate'

export type LineSlot =
  | 'line'
  | 'quantity'
  | 'amount'
  | 'unitPrice'
  | 'per'
  | 'serviceFrom'
  | 'serviceTo'
  | 'sellerItem'
  | 'buyerItem'

export type AllowanceSlot = 'isCharge' | 'amount'

export interface Dialect {
  readonly name: string
  /** The path of a line. */
  readonly line: string
  readonly header: ReadonlyMap<string, HeaderSlot>
  readonly inLine: ReadonlyMap<string, LineSlot>
  /** The path of an allowance or charge, inside a line. */
  readonly allowance: string
  readonly inAllowance: ReadonlyMap<string, AllowanceSlot>
  /** A document of this kind always credits. */
  readonly isCredit: boolean
  /** Dates come with a format code. */
  readonly hasDateFormats: boolean
}

/** A document may have several of these: the first counts. */
export const repeatedSlots: readonly (HeaderSlot | LineSlot)[] = [
  'contract',
  'order',
  'orderDate',
  'serviceFrom',
  'serviceTo',
]

function ubl(root: 'Invoice' | 'CreditNote', quantity: string): Dialect {
  return {
    name: `UBL ${root}`,
    line: `${root}Line`,
    isCredit: root === 'CreditNote',
    hasDateFormats: false,
    header: new Map<string, HeaderSlot>([
      ['ID', 'invoice'],
      ['IssueDate', 'date'],
      [`${root}TypeCode`, 'typeCode'],
      ['DocumentCurrencyCode', 'currency'],
      ['InvoicePeriod/StartDate', 'serviceFrom'],
      ['InvoicePeriod/EndDate', 'serviceTo'],
      ['ContractDocumentReference/ID', 'contract'],
      ['OrderReference/ID', 'order'],
      ['OrderReference/IssueDate', 'orderDate'],
    ]),
    inLine: new Map<string, LineSlot>([
      ['ID', 'line'],
      [quantity, 'quantity'],
      ['LineExtensionAmount', 'amount'],
      ['InvoicePeriod/StartDate', 'serviceFrom'],
      ['InvoicePeriod/EndDate', 'serviceTo'],
      ['Item/SellersItemIdentification/ID', 'sellerItem'],
      ['Item/BuyersItemIdentification/ID', 'buyerItem'],
      ['Price/PriceAmount', 'unitPrice'],
      ['Price/BaseQuantity', 'per'],
    ]),
    allowance: 'AllowanceCharge',
    inAllowance: new Map<string, AllowanceSlot>([
      ['ChargeIndicator', 'isCharge'],
      ['Amount', 'amount'],
    ]),
  }
}

const transaction = 'SupplyChainTradeTransaction'

const cii: Dialect = {
  name: 'CII',
  line: `${transaction}/IncludedSupplyChainTradeLineItem`,
  isCredit: false,
  hasDateFormats: true,
  header: new Map<string, HeaderSlot>([
    ['ExchangedDocument/ID', 'invoice'],
    ['ExchangedDocument/TypeCode', 'typeCode'],
    ['ExchangedDocument/IssueDateTime/DateTimeString', 'date'],
    [`${transaction}/ApplicableHeaderTradeSettlement/InvoiceCurrencyCode`, 'currency'],
    [
      `${transaction}/ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod/StartDateTime/DateTimeString`,
      'serviceFrom',
    ],
    [`${transaction}/ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod/EndDateTime/DateTimeString`, 'serviceTo'],
    [`${transaction}/ApplicableHeaderTradeAgreement/ContractReferencedDocument/IssuerAssignedID`, 'contract'],
    [`${transaction}/ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument/IssuerAssignedID`, 'order'],
    [
      `${transaction}/ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument/FormattedIssueDateTime/DateTimeString`,
      'orderDate',
    ],
  ]),
  inLine: new Map<string, LineSlot>([
    ['AssociatedDocumentLineDocument/LineID', 'line'],
    ['SpecifiedLineTradeDelivery/BilledQuantity', 'quantity'],
    ['SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount', 'amount'],
    ['SpecifiedLineTradeSettlement/BillingSpecifiedPeriod/StartDateTime/DateTimeString', 'serviceFrom'],
    ['SpecifiedLineTradeSettlement/BillingSpecifiedPeriod/EndDateTime/DateTimeString', 'serviceTo'],
    ['SpecifiedTradeProduct/SellerAssignedID', 'sellerItem'],
    ['SpecifiedTradeProduct/BuyerAssignedID', 'buyerItem'],
    ['SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount', 'unitPrice'],
    ['SpecifiedLineTradeAgreement/NetPriceProductTradePrice/BasisQuantity', 'per'],
  ]),
  allowance: 'SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge',
  inAllowance: new Map<string, AllowanceSlot>([
    ['ChargeIndicator/Indicator', 'isCharge'],
    ['ActualAmount', 'amount'],
  ]),
}

const ublSchemas = 'urn:oasis:names:specification:ubl:schema:xsd'

/** Dialects by namespace and name of the root element. */
export const dialects: ReadonlyMap<string, Dialect> = new Map([
  [`${ublSchemas}:Invoice-2 Invoice`, ubl('Invoice', 'InvoicedQuantity')],
  [`${ublSchemas}:CreditNote-2 CreditNote`, ubl('CreditNote', 'CreditedQuantity')],
  ['urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100 CrossIndustryInvoice', cii],
])

/** Codes of UNTDID 1001 by which a document credits: credit notes, by themselves, for goods, services or self-billed. */
export const creditCodes: readonly string[] = ['81', '83', '261', '381', '396', '532']
export const debitCodes: readonly string[] = ['80', '84', '383']
