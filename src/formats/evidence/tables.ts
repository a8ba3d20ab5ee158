// The tables of an evidence package, made from its receipts alone, so that anybody with the receipts can make them
// again and compare.
import { formatSubject } from '../../core/receipt/objection.ts'
import { formatSigner, type PartySignature } from '../../core/receipt/party-signature.ts'
import type { Origin, Receipt } from '../../core/receipt/receipt.ts'
import { formatAct } from '../../core/receipt/signer-origin.ts'
import { type Cell, formatCsv } from '../sheet.ts'

export interface NamedReceipt {
  readonly name: string
  readonly receipt: Pick<Receipt, 'hash' | 'body' | 'signatures' | 'objections'>
}

/** Receipts sorted by date, in whatever order the files came. */
function inOrder(receipts: readonly NamedReceipt[]): readonly NamedReceipt[] {
  const keyOf = ({ name, receipt }: NamedReceipt) => `${receipt.body.adjustmentDate} ${name}`
  return receipts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** Every vintage behind a number, once, with both times. */
export function vintagesTable(receipts: readonly NamedReceipt[]): string {
  const head = ['series', 'name', 'period', 'value', 'version', 'flag', 'published', 'recorded', 'origin', 'used by']
  const rows = new Map<string, { readonly cells: readonly Cell[]; readonly usedBy: Set<string> }>()
  for (const { name, receipt } of inOrder(receipts)) {
    const names = new Map(receipt.body.series.map(each => [each.series, each.name]))
    for (const { series, period, value, version, flag, published, recorded, origin } of receipt.body.observations) {
      const key = [series, period, value, version, published, recorded].join(' ')
      const row = rows.get(key) ?? {
        cells: [
          series,
          names.get(series) ?? '',
          period,
          { figure: value },
          version,
          flag,
          published,
          recorded,
          formatOrigin(origin),
        ],
        usedBy: new Set<string>(),
      }
      row.usedBy.add(name)
      rows.set(key, row)
    }
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return formatCsv({
    name: 'vintages',
    head,
    rows: sorted.map(({ cells, usedBy }) => [...cells, [...usedBy].join(' ')]),
  })
}

export function formatOrigin(origin: Origin): string {
  if ('provider' in origin) return `read from ${origin.provider}`
  const { uploadedBy, file, sha256, recorded } = origin
  if (file === null || sha256 === null) return 'imported from a file that is not known'
  const by = uploadedBy === null ? '' : `uploaded by ${uploadedBy}${recorded === null ? '' : `, ${recorded}`}, `
  return `${by}file ${file} (SHA-256 ${sha256})`
}

export function signOffsTable(receipts: readonly NamedReceipt[]): string {
  const isRecorded = receipts.some(({ receipt }) => hasOrigins(receipt))
  const head = ['receipt', 'period', 'party', 'signed by', 'name', 'signed at', 'means', 'hash']
  const more = [
    'invited by',
    'invited at',
    'joined at',
    'key registered at',
    'new password by',
    'new password at',
    'company',
    'list confirmed at',
    'hash of the list',
    'what is recorded',
  ]
  const rows = inOrder(receipts).flatMap(({ name, receipt: { body, signatures } }) =>
    signatures.map(each => [
      name,
      body.period,
      each.party,
      each.signedBy,
      each.name,
      each.signedAt,
      each.means,
      each.hash,
      ...(isRecorded ? [...originCells(each), formatSigner(each, body.parties).join('; ')] : []),
    ]),
  )
  return formatCsv({ name: 'sign-offs', head: isRecorded ? [...head, ...more] : head, rows })
}

/** Whether anything is recorded about a signer: only then do tables have columns about signers. */
export function hasOrigins({ signatures }: Pick<Receipt, 'signatures'>): boolean {
  return signatures.some(({ origin }) => origin !== undefined)
}

/** Cells are empty where nothing was recorded. */
function originCells({ origin, passkey }: PartySignature): Cell[] {
  if (origin === undefined) return Array.from({ length: 9 }, () => '')
  const { invited, joinedAt, renewed, company } = origin
  const key = origin.passkeys.find(({ id }) => id === passkey?.credentialId)
  return [
    formatAct(invited),
    invited.at,
    joinedAt ?? '',
    key?.registeredAt ?? '',
    renewed === null ? '' : formatAct(renewed),
    renewed?.usedAt ?? '',
    company?.slug ?? '',
    company?.confirmed?.at ?? '',
    company?.confirmed?.hash ?? '',
  ]
}

export function objectionsTable(receipts: readonly NamedReceipt[]): string {
  const head = ['period', 'objection', 'kind', 'party', 'by', 'name', 'at', 'about', 'words', 'hash of the number']
  const rows = new Map<string, readonly (readonly Cell[])[]>()
  for (const { receipt } of inOrder(receipts))
    for (const { id, party, by, name, at, about, reason, hash, answers } of receipt.objections ?? []) {
      const { period } = receipt.body
      rows.set(id, [
        [period, id, 'OBJECTION', party, by, name, at, formatSubject(about), reason, hash],
        ...answers.map(each => [period, id, each.kind, each.party, each.by, each.name, each.at, '', each.words, hash]),
      ])
    }
  return formatCsv({ name: 'objections', head, rows: [...rows.values()].flat() })
}
