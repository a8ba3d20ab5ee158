// Wire types of the console: money effect of adjustments, over all agreements that a person sees.

/** Amounts of one currency; above 0 the prices went up. */
interface MovedMoney {
  readonly currency: string
  /** Adjustments of this year up to today. */
  readonly year: string
  /** Adjustments of the next quarter, as far as published figures give them. */
  readonly nextQuarter: string
}

/** Agreements without a known quantity, so that only their change is known. */
interface MovedWithout {
  readonly agreements: number
  /** Average change in percent; for an index the points it gave. Null where nothing was adjusted. */
  readonly yearPct: string | null
  readonly nextQuarterPct: string | null
}

export interface PortfolioRow {
  /** Filter value: a supplier, the slug of an agreement, or the id of a series; null for other rows. */
  readonly key: string | null
  readonly name: string
  /** Number of agreements with money in this currency. */
  readonly agreements: number
  /** Null where no quantity is known. */
  readonly money: MovedMoney | null
  readonly without: MovedWithout | null
}

/** First few rows, those with most money first, and the number of further ones. */
export interface PortfolioRows {
  readonly rows: readonly PortfolioRow[]
  readonly more: number
}

export interface Portfolio {
  /** Their year and quarter: `2026`, `2027-Q1`. */
  readonly year: string
  readonly nextQuarter: string
  /** Currencies with most agreements first. */
  readonly totals: readonly MovedMoney[]
  readonly without: MovedWithout | null
  /** Grouped by supplier; for a supplier by agreement. */
  readonly by: 'supplier' | 'agreement'
  readonly parties: PortfolioRows
  readonly indices: PortfolioRows
  /** Number of this year's adjustments in the amounts that are not signed by both, and of those left out for want of a quantity. */
  readonly unsigned: number
  readonly unpriced: number
  /** Dates of the next quarter whose figures are not published yet. */
  readonly notYet: number
  /** Active agreements left out: their numbers take long, or another supplier's are among them. */
  readonly leftOut: number
  /** Amounts agreed by corrections and not billed yet, by currency, in each direction. */
  readonly owed: readonly { readonly currency: string; readonly toSupplier: string; readonly toBuyer: string }[]
  readonly late: {
    /** Periods unsigned `days` after their date, not provisional: all, those for the person who asks, and the oldest date. */
    readonly periods: number
    readonly mine: number
    readonly oldest: string | null
    readonly days: number
    /** Agreements with a date that a late or cancelled figure holds up. */
    readonly missing: number
  }
}
