// Entries about billing: price lists, units, quantities and invoices.
import { hashText } from './content.ts'
import { entryKind, number, sql, text, textOrNull } from './entry-kind.ts'

export const priceKinds = {
  'price-list': entryKind({
    about: 'agreement',
    names: true,
    table: 'price_list',
    subject: 'agreement_id',
    columns: {
      version: number,
      fromPeriod: text,
      fromDate: text,
      /** Rows as JSON text. */
      listRows: text,
      /** Keys of its items, by their bytes, one to a line. */
      keys: sql<string>(`(
        select string_agg(k.item_key, chr(10) order by k.item_key) from price_list_key k
        where k.workspace_id = r.workspace_id and k.agreement_id = r.agreement_id and k.version = r.version)`),
      createdBy: text,
      /** Set where a first list reaches back over periods that both signed. */
      ownPriceUntil: textOrNull,
      /** The change of terms that made it; null for a version that one side applied alone. */
      proposal: textOrNull,
    },
    beside: ['items'],
    content: ({ version, fromPeriod, fromDate, listRows, keys, createdBy, ownPriceUntil, proposal }) => {
      const until = ownPriceUntil === null ? {} : { ownPriceUntil }
      const agreed = proposal === null ? {} : { proposal }
      const list = { version, fromPeriod, fromDate, rows: hashText(listRows), keys: hashText(keys), createdBy }
      return { ...list, ...until, ...agreed }
    },
    seal: null,
    stale: {},
    feed: { as: ['price-list'] },
  }),
  unit: entryKind({
    about: 'scope',
    names: true,
    table: 'unit_factor',
    subject: 'workspace_id',
    columns: { unit: text, other: text, factor: text, setBy: text },
    content: ({ unit, other, factor, setBy }) => ({ unit, other, factor, setBy }),
    seal: null,
    stale: { trueUps: 'scope' },
    feed: null,
  }),
  /** One entry for each agreement, with a row for each item and period. */
  quantity: entryKind({
    about: 'agreement',
    names: true,
    table: 'quantity',
    subject: 'agreement_id',
    columns: {
      /** Lines of item, period and quantity with tabs between them, by the bytes of item and period. */
      lines: sql<string>(
        `string_agg(r.item || chr(9) || r.period || chr(9) || r.quantity, chr(10) order by r.item, r.period)`,
      ),
      declaredBy: text,
    },
    groupBy: 'r.seq, r.agreement_id, r.recorded_at, r.declared_by',
    content: ({ lines, declaredBy }) => ({ lines: hashText(lines), declaredBy }),
    seal: null,
    stale: {},
    feed: { as: ['quantity'], period: 'r.period' },
  }),
  invoice: entryKind({
    about: 'invoice',
    names: true,
    table: 'invoice',
    subject: 'id',
    columns: {
      supplier: text,
      number: text,
      importedBy: text,
      /** The hash of the hashes of its lines, by the bytes of their ids. */
      lines: sql<string>(`(
        select encode(sha256(convert_to(string_agg(encode(sha256(convert_to(
          l.id || chr(9) || l.line || chr(9) || l.agreement_id || chr(9) || coalesce(l.date::text, '') || chr(9) || l.kind
          || chr(9) || coalesce(l.reverses, '') || chr(9) || l.fields, 'UTF8')), 'hex'), chr(10) order by l.id), 'UTF8')),
          'hex')
        from invoice_line l where l.workspace_id = r.workspace_id and l.invoice_id = r.id)`),
    },
    beside: ['number_key'],
    content: ({ supplier, number, importedBy, lines }) => ({ supplier, number, importedBy, lines }),
    seal: null,
    stale: { trueUps: 'subject' },
    feed: { as: ['invoice'] },
  }),
}
