// Filters and sort orders of agreement lists.

/** Filters by the needs of an agreement. */
export const agreementStates = [
  'WAITS_FOR_ME',
  'WAITS',
  'DISPUTED',
  'CORRECTION_OPEN',
  'CORRECTION_DUE',
  'BLOCKED',
  'DONE',
] as const
export type AgreementState = (typeof agreementStates)[number]

const sortColumns = ['name', 'supplier', 'status', 'price', 'since', 'proposed', 'nextDate', 'waiting'] as const

/** A minus sorts in descending order. */
export const agreementSorts = sortColumns.flatMap(column => [column, `-${column}`] as const)
export type AgreementSort = (typeof agreementSorts)[number]
