// Kinds of files for import besides figures, each as one object.
import type { TableKind } from '../../../../core/invoices/table-kinds.ts'
import { agreementKind } from './agreement-kind.ts'
import type { KindOfImport } from './import-kind.ts'
import { invoiceKind } from './invoice-kind.ts'
import { priceListKind } from './price-list-kind.ts'
import { quantityKind } from './quantity-kind.ts'
import { unitKind } from './unit-kind.ts'

export const kindsOfImport: Readonly<Record<TableKind, KindOfImport>> = {
  prices: priceListKind,
  invoices: invoiceKind,
  quantities: quantityKind,
  units: unitKind,
  agreements: agreementKind,
}
