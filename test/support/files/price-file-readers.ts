// Readers of price files that know nothing of how we write them: they split CSV and XML in their own way and return
// what a loading system would store. Numbers stay whole numbers over powers of ten.

export interface LoadedPrice {
  readonly item: string
  readonly from: string
  readonly validFrom: string
  /** Empty where it is open. */
  readonly validTo: string
  readonly currency: string
  readonly unit: string
  /** `numerator/denominator` of price ÷ per, in lowest terms. */
  readonly unitPrice: string
  readonly price: string
  readonly per: string
}

/** RFC 4180, character by character. */
export function splitTable(text: string): Record<string, string>[] {
  const rows: string[][] = [[]]
  let [cell, isQuoted] = ['', false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (isQuoted) {
      if (character === '"' && text[at + 1] === '"') cell += text[++at]
      else if (character === '"') isQuoted = false
      else cell += character
    } else if (character === '"') isQuoted = true
    else if (character === ',') {
      rows.at(-1)!.push(cell)
      cell = ''
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.at(-1)!.push(cell)
      cell = ''
      rows.push([])
      at++
    } else cell += character
  }
  if (cell !== '' || rows.pop()!.length > 0) throw new Error('the last line has no end')
  const [head, ...body] = rows
  return body.map(cells => {
    if (cells.length !== head!.length) throw new Error(`${cells.length} cells where the header has ${head!.length}`)
    return Object.fromEntries(head!.map((name, i) => [name, plain(cells[i]!)]))
  })
}

/** The mark that keeps a spreadsheet from executing a text is not part of it. */
const plain = (text: string) => (/^'+[=+\-@\t]/.test(text) ? text.slice(1) : text)

function divideTexts(price: string, per: string): string {
  const read = (text: string) => {
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`"${text}" is no number`)
    const [whole, part = ''] = text.split('.') as [string, string?]
    return { n: BigInt(whole + part), d: 10n ** BigInt(part.length) }
  }
  const [a, b] = [read(price), read(per)]
  return lowest(a.n * b.d, a.d * b.n)
}

export function lowest(n: bigint, d: bigint): string {
  let [a, b] = [n < 0n ? -n : n, d]
  while (b !== 0n) [a, b] = [b, a % b]
  return `${n / a}/${d / a}`
}

const dashed = (day: string) => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
const closed = (day: string) => (day === '9999-12-31' ? '' : day)

function load(cells: Omit<LoadedPrice, 'unitPrice'>): LoadedPrice {
  return { ...cells, unitPrice: divideTexts(cells.price, cells.per) }
}

export const readers: Readonly<Record<string, (text: string) => LoadedPrice[]>> = {
  csv: text =>
    splitTable(text).map(row =>
      load({
        item: row.item!,
        from: row.from_quantity!,
        validFrom: row.valid_from!,
        validTo: closed(row.valid_to!),
        currency: row.currency!,
        unit: row.unit!,
        price: row.price!,
        per: row.per!,
      }),
    ),
  json: text =>
    (JSON.parse(text) as { data: Record<string, string>[] }).data.map(row =>
      load({
        item: row.item!,
        from: row.fromQuantity!,
        validFrom: row.validFrom!,
        validTo: closed(row.validTo!),
        currency: row.currency!,
        unit: row.unit!,
        price: row.price!,
        per: row.per!,
      }),
    ),
  'sap-csv': text =>
    splitTable(text).map(row =>
      load({
        item: row.MATNR!,
        from: row.KSTBM!,
        validFrom: dashed(row.DATAB!),
        validTo: closed(dashed(row.DATBI!)),
        currency: row.KONWA!,
        unit: row.KMEIN!,
        price: row.KBETR!,
        per: row.KPEIN!,
      }),
    ),
  'd365-purchase': text => splitTable(text).map(row => loadJournal(row, 'PurchasePriceQuantity')),
  'd365-sales': text => splitTable(text).map(row => loadJournal(row, 'SalesPriceQuantity')),
  bc: text =>
    splitTable(text).map(row =>
      load({
        item: row['Asset No.']!,
        from: row['Minimum Quantity']!,
        validFrom: row['Starting Date']!,
        validTo: row['Ending Date']!,
        currency: row['Currency Code']!,
        unit: row['Unit of Measure Code']!,
        price: row['Direct Unit Cost']!,
        per: '1',
      }),
    ),
  'sap-idoc': readIdoc,
}

function loadJournal(row: Record<string, string>, quantity: string): LoadedPrice {
  return load({
    item: row.ItemNumber!,
    from: row.FromQuantity!,
    validFrom: row.PriceApplicableFromDate!,
    validTo: row.PriceApplicableToDate!,
    currency: row.PriceCurrencyCode!,
    unit: row.QuantityUnitSymbol!,
    price: row.Price!,
    per: row[quantity]!,
  })
}

/** Segments by their names; the fields of one come before the segments inside it. */
function readIdoc(text: string): LoadedPrice[] {
  const segments = (inside: string, name: string) =>
    [...inside.matchAll(new RegExp(`<${name} SEGMENT="1">([\\s\\S]*?)</${name}>`, 'g'))].map(match => match[1]!)
  const value = (inside: string, name: string) =>
    new RegExp(`<${name}>([^<]*)</${name}>`)
      .exec(inside)?.[1]
      ?.replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&') ?? ''
  return segments(text, 'E1KOMG').flatMap(record =>
    segments(record, 'E1KONH').flatMap(validity =>
      segments(validity, 'E1KONP').flatMap(condition => {
        const [own, ...levels] = [condition.split('<E1KONM')[0]!, ...segments(condition, 'E1KONM')]
        return [own, ...levels].map(level =>
          load({
            item: value(record, 'MATNR'),
            from: value(level, 'KSTBM') || '0',
            validFrom: dashed(value(validity, 'DATAB')),
            validTo: closed(dashed(value(validity, 'DATBI'))),
            currency: value(own, 'KONWA'),
            unit: value(own, 'KMEIN'),
            price: value(level, 'KBETR'),
            per: value(own, 'KPEIN'),
          }),
        )
      }),
    ),
  )
}
