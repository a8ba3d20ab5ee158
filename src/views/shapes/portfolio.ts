// Wire types of the console: what adjustments do to money, over all agreements that a person sees.

/** Amounts of one currency; above 0 the prices went up. */
interface MovedMoney {
  readonly currency: string
  /** Adjustments of this year up to today. */
  readonly year: string
  /** Adjustments of the next quarter, as far as published figures give them. */
  readonly nextQuarter: string
}

/** Agreements of which no quantity is known, so that only their change can be told. */
interface MovedWithout {
  readonly agreements: number
  /** On average, in percent; of an index the points it gave. Null where nothing was adjusted. */
  readonly yearPct: string | null
  readonly nextQuarterPct: string | null
}

export interface PortfolioRow {
  /** What lists are filtered by: a supplier, the slug of an agreement, or the id of a series; null for what is neither. */
  readonly key: string | null
  readonly name: string
  /** With money in this currency. */
  readonly agreements: number
  /** Null where no quantity is known. */
  readonly money: MovedMoney | null
  readonly without: MovedWithout | null
}

/** The first few, those with most money first, and how many more there are. */
export interface PortfolioRows {
  readonly rows: readonly PortfolioRow[]
  readonly more: number
}

export interface Portfolio {
  /** The year and the quarter that are meant: `2026`, `2027-Q1`. */
  readonly year: string
  readonly nextQuarter: string
  /** Those with most agreements first. */
  readonly totals: readonly MovedMoney[]
  readonly without: MovedWithout | null
  /** By supplier; for a supplier by agreement. */
  readonly by: 'supplier' | 'agreement'
  readonly parties: PortfolioRows
  readonly indices: PortfolioRows
  /** Adjustments of this year that are in the amounts and not signed by both, and those that are not, for want of a quantity. */
  readonly unsigned: number
  readonly unpriced: number
  /** Dates of the next quarter whose figures are not published yet. */
  readonly notYet: number
  /** Active agreements that are in none of this: their numbers take long, or another supplier's are among them. */
  readonly leftOut: number
  /** Agreed by corrections and not billed yet, by currency, in each direction. */
  readonly owed: readonly { readonly currency: string; readonly toSupplier: string; readonly toBuyer: string }[]
  readonly late: {
    /** Periods that are unsigned `days` after their date, and not provisional, how many of them wait for the person who asks, and the oldest date. */
    readonly periods: number
    readonly mine: number
    readonly oldest: string | null
    readonly days: number
    /** Agreements with a date that a late or cancelled figure holds up. */
    readonly missing: number
  }
}
