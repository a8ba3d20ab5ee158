// Electronic invoices in the exact shape in which they are sent (EN 16931 in UBL 2.1 and CII), with made-up parties:
// parties, tax and totals are included because readers must skip them, and their identifiers, dates and amounts must
// not be mistaken for those of the invoice.

export interface SpecimenLine {
  readonly id?: string
  readonly quantity?: string
  readonly unit?: string
  readonly amount?: string
  readonly price?: string
  readonly base?: string
  readonly baseUnit?: string
  readonly seller?: string
  readonly buyer?: string
  readonly period?: readonly [string, string]
  /** Amounts of allowances (negative sign: charges). */
  readonly allowances?: readonly string[]
}

export interface Specimen {
  readonly id?: string
  readonly issued?: string
  readonly typeCode?: string
  readonly currency?: string
  readonly contract?: string
  readonly order?: string
  readonly period?: readonly [string, string]
  readonly lines?: readonly SpecimenLine[]
}

export const usualLine: SpecimenLine = {
  id: '1',
  quantity: '100',
  unit: 'H87',
  amount: '1273.00',
  price: '12.73',
  seller: 'BR-100',
}

const ublNames =
  'xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" ' +
  'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'

const element = (name: string, text: string | undefined, attributes = '') =>
  text === undefined ? '' : `<${name}${attributes}>${text}</${name}>\n`

function ublPeriod(period: readonly [string, string] | undefined): string {
  if (period === undefined) return ''
  return `<cac:InvoicePeriod>
<cbc:StartDate>${period[0]}</cbc:StartDate>
<cbc:EndDate>${period[1]}</cbc:EndDate>
</cac:InvoicePeriod>
`
}

function ublParty(role: string, name: string): string {
  return `<cac:${role}>
<cac:Party>
<cbc:EndpointID schemeID="0088">4000001000005</cbc:EndpointID>
<cac:PartyIdentification><cbc:ID>P-1</cbc:ID></cac:PartyIdentification>
<cac:PartyName><cbc:Name>${name}</cbc:Name></cac:PartyName>
<cac:PostalAddress><cbc:CityName>Graz</cbc:CityName><cac:Country><cbc:IdentificationCode>AT</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
<cac:PartyTaxScheme><cbc:CompanyID>ATU00000000</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
<cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity>
</cac:Party>
</cac:${role}>
`
}

function ublAllowance(amount: string, currency: string): string {
  const isCharge = amount.startsWith('-')
  return `<cac:AllowanceCharge>
<cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator>
<cbc:AllowanceChargeReason>${isCharge ? 'Freight' : 'Discount'}</cbc:AllowanceChargeReason>
<cbc:Amount currencyID="${currency}">${amount.replace('-', '')}</cbc:Amount>
</cac:AllowanceCharge>
`
}

function ublLine(root: 'Invoice' | 'CreditNote', currency: string, line: SpecimenLine): string {
  const { id, quantity, unit, amount, price, base, baseUnit = unit, seller, buyer, period, allowances = [] } = line
  const quantityName = root === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity'
  const inCurrency = ` currencyID="${currency}"`
  return `<cac:${root}Line>
${element('cbc:ID', id)}${element('cbc:Note', 'as ordered')}${element(`cbc:${quantityName}`, quantity, unit === undefined ? '' : ` unitCode="${unit}"`)}${element('cbc:LineExtensionAmount', amount, inCurrency)}${ublPeriod(period)}<cac:OrderLineReference><cbc:LineID>9</cbc:LineID></cac:OrderLineReference>
${allowances.map(each => ublAllowance(each, currency)).join('')}<cac:Item>
<cbc:Description>A bracket &amp; its screws</cbc:Description>
<cbc:Name>Bracket</cbc:Name>
${buyer === undefined ? '' : `<cac:BuyersItemIdentification><cbc:ID>${buyer}</cbc:ID></cac:BuyersItemIdentification>\n`}${seller === undefined ? '' : `<cac:SellersItemIdentification><cbc:ID>${seller}</cbc:ID></cac:SellersItemIdentification>\n`}<cac:StandardItemIdentification><cbc:ID schemeID="0160">04000000000000</cbc:ID></cac:StandardItemIdentification>
<cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>20</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory>
</cac:Item>
${price === undefined ? '' : `<cac:Price>\n<cbc:PriceAmount${inCurrency}>${price}</cbc:PriceAmount>\n${element('cbc:BaseQuantity', base, baseUnit === undefined ? '' : ` unitCode="${baseUnit}"`)}<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount${inCurrency}>1.00</cbc:Amount><cbc:BaseAmount${inCurrency}>13.73</cbc:BaseAmount></cac:AllowanceCharge>\n</cac:Price>\n`}</cac:${root}Line>
`
}

function ubl(root: 'Invoice' | 'CreditNote', specimen: Specimen): string {
  const {
    id = '4711',
    issued = '2024-05-10',
    currency = 'EUR',
    contract,
    order,
    period,
    lines = [usualLine],
  } = specimen
  const typeCode = specimen.typeCode ?? (root === 'Invoice' ? '380' : '381')
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" ${ublNames}>
<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
<cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
<cbc:ID>${id}</cbc:ID>
<cbc:IssueDate>${issued}</cbc:IssueDate>
${root === 'Invoice' ? '<cbc:DueDate>2024-06-10</cbc:DueDate>\n' : ''}<cbc:${root}TypeCode>${typeCode}</cbc:${root}TypeCode>
<cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
<cbc:BuyerReference>0150abc</cbc:BuyerReference>
${ublPeriod(period)}${order === undefined ? '' : `<cac:OrderReference><cbc:ID>${order}</cbc:ID><cbc:IssueDate>2024-04-20</cbc:IssueDate></cac:OrderReference>\n`}<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>4600</cbc:ID><cbc:IssueDate>2024-01-01</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>
${contract === undefined ? '' : `<cac:ContractDocumentReference><cbc:ID>${contract}</cbc:ID></cac:ContractDocumentReference>\n`}${ublParty('AccountingSupplierParty', 'Ohio Forge')}${ublParty('AccountingCustomerParty', 'Buyer')}<cac:Delivery><cbc:ActualDeliveryDate>2024-05-08</cbc:ActualDeliveryDate></cac:Delivery>
<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>4711/2024</cbc:PaymentID></cac:PaymentMeans>
<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:Amount currencyID="${currency}">25</cbc:Amount></cac:AllowanceCharge>
<cac:TaxTotal><cbc:TaxAmount currencyID="${currency}">254.60</cbc:TaxAmount></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="${currency}">1273.00</cbc:LineExtensionAmount><cbc:PayableAmount currencyID="${currency}">1527.60</cbc:PayableAmount></cac:LegalMonetaryTotal>
${lines.map(line => ublLine(root, currency, line)).join('')}</${root}>
`
}

export const ublInvoice = (specimen: Specimen = {}): string => ubl('Invoice', specimen)
export const ublCreditNote = (specimen: Specimen = {}): string => ubl('CreditNote', specimen)

const ciiNames =
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" ' +
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" ' +
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100" ' +
  'xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100"'

const ciiDay = (day: string) => `<udt:DateTimeString format="102">${day.replaceAll('-', '')}</udt:DateTimeString>`

function ciiPeriod(period: readonly [string, string] | undefined): string {
  if (period === undefined) return ''
  return `<ram:BillingSpecifiedPeriod><ram:StartDateTime>${ciiDay(period[0])}</ram:StartDateTime><ram:EndDateTime>${ciiDay(period[1])}</ram:EndDateTime></ram:BillingSpecifiedPeriod>
`
}

function ciiAllowance(amount: string): string {
  return `<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>${amount.startsWith('-')}</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>${amount.replace('-', '')}</ram:ActualAmount><ram:Reason>agreed</ram:Reason></ram:SpecifiedTradeAllowanceCharge>
`
}

function ciiLine(line: SpecimenLine): string {
  const { id, quantity, unit, amount, price, base, baseUnit = unit, seller, buyer, period, allowances = [] } = line
  return `<ram:IncludedSupplyChainTradeLineItem>
<ram:AssociatedDocumentLineDocument>${element('ram:LineID', id)}</ram:AssociatedDocumentLineDocument>
<ram:SpecifiedTradeProduct>
<ram:GlobalID schemeID="0160">04000000000000</ram:GlobalID>
${element('ram:SellerAssignedID', seller)}${element('ram:BuyerAssignedID', buyer)}<ram:Name>Bracket</ram:Name>
</ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement>
<ram:GrossPriceProductTradePrice><ram:ChargeAmount>13.73</ram:ChargeAmount><ram:BasisQuantity unitCode="H87">7</ram:BasisQuantity><ram:AppliedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>1.00</ram:ActualAmount></ram:AppliedTradeAllowanceCharge></ram:GrossPriceProductTradePrice>
<ram:NetPriceProductTradePrice>
${element('ram:ChargeAmount', price)}${element('ram:BasisQuantity', base, baseUnit === undefined ? '' : ` unitCode="${baseUnit}"`)}</ram:NetPriceProductTradePrice>
</ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery>${element('ram:BilledQuantity', quantity, unit === undefined ? '' : ` unitCode="${unit}"`)}</ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement>
<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>20</ram:RateApplicablePercent></ram:ApplicableTradeTax>
${ciiPeriod(period)}${allowances.map(ciiAllowance).join('')}<ram:SpecifiedTradeSettlementLineMonetarySummation>${element('ram:LineTotalAmount', amount)}</ram:SpecifiedTradeSettlementLineMonetarySummation>
</ram:SpecifiedLineTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem>
`
}

/** What applies to the whole document comes after its lines. */
export function ciiInvoice(specimen: Specimen = {}): string {
  const {
    id = '4711',
    issued = '2024-05-10',
    currency = 'EUR',
    contract,
    order,
    period,
    lines = [usualLine],
  } = specimen
  const orderedOn =
    '<ram:FormattedIssueDateTime><qdt:DateTimeString format="102">20240420</qdt:DateTimeString></ram:FormattedIssueDateTime>'
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice ${ciiNames}>
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument>
<ram:ID>${id}</ram:ID>
<ram:TypeCode>${specimen.typeCode ?? '380'}</ram:TypeCode>
<ram:IssueDateTime>${ciiDay(issued)}</ram:IssueDateTime>
<ram:IncludedNote><ram:Content>Thank you</ram:Content></ram:IncludedNote>
</rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${lines.map(ciiLine).join('')}<ram:ApplicableHeaderTradeAgreement>
<ram:SellerTradeParty><ram:ID>P-1</ram:ID><ram:Name>Ohio Forge</ram:Name></ram:SellerTradeParty>
<ram:BuyerTradeParty><ram:Name>Buyer</ram:Name></ram:BuyerTradeParty>
${order === undefined ? '' : `<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>${order}</ram:IssuerAssignedID>${orderedOn}</ram:BuyerOrderReferencedDocument>\n`}${contract === undefined ? '' : `<ram:ContractReferencedDocument><ram:IssuerAssignedID>${contract}</ram:IssuerAssignedID></ram:ContractReferencedDocument>\n`}</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery><ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${ciiDay('2024-05-08')}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent></ram:ApplicableHeaderTradeDelivery>
<ram:ApplicableHeaderTradeSettlement>
<ram:InvoiceCurrencyCode>${currency}</ram:InvoiceCurrencyCode>
${ciiPeriod(period)}<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>1273.00</ram:LineTotalAmount><ram:GrandTotalAmount>1527.60</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`
}
