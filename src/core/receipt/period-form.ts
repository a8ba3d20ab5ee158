// The forms in which receipts write periods, for their description.

const calendarPeriod = '^\\d{4}(-(Q[1-4]|H[12]|W\\d{2}|\\d{2}(-\\d{2})?))?'

/** The period of a figure: `2024-03`, `2024-Q1`. */
export const periodForm = { pattern: `${calendarPeriod}$` } as const

/** The period of an adjustment: `2024-Q3.2` is the second one in 2024-Q3. */
export const labelForm = { pattern: `${calendarPeriod}(\\.[1-9]\\d*)?$` } as const
