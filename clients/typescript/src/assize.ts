// The client: one object per server and key, with what the API has under it.
import {
  type AnswerOf,
  type CallOptions,
  Calls,
  type ItemOf,
  type ListOperation,
  type Operation,
  type Query,
} from './calls.ts'
import { type Batch, type FollowOptions, followChanges, followVintages } from './follow.ts'
import { type ReceiptVerdict, type VerifyOptions, verifyReceipt } from './receipt.ts'
import { type Copy, syncCopy } from './sync.ts'
import { type Answer, type Options, type Request, Transport } from './transport.ts'
import type { Walk } from './walk.ts'
import type {
  Adjustment,
  Calculation,
  Change,
  LinesToCheck,
  NewVintage,
  Observation,
  SummaryObservation,
  SummaryValues,
  Values,
} from './wire.ts'

type List<O extends ListOperation> = Walk<ItemOf<O>, AnswerOf<O>>
/** A query without what the client chooses itself. */
type OwnQuery<O extends Operation> = Omit<Query<O>, 'cursor' | 'view'>
type InvoiceLine = LinesToCheck['lines'][number]

/** Invoice lines as data, or the text of a file: CSV with a header, or an electronic invoice. */
export type InvoiceLines = readonly InvoiceLine[] | { readonly csv: string } | { readonly xml: string }

export class Assize {
  readonly #transport: Transport
  readonly #calls: Calls

  constructor(options: Options = {}) {
    this.#transport = new Transport(options)
    this.#calls = new Calls(this.#transport)
  }

  readonly series = {
    /** Every series that the workspace sees. */
    list: (query?: OwnQuery<'listSeries'>, options?: CallOptions): List<'listSeries'> =>
      this.#calls.walk('listSeries', [], { limit: 200, ...query }, options),
    /** By what formulas call them (`code: 'BLS/WPU101'`), by words, by frequency, or by what was recorded since an instant. */
    find: (query?: OwnQuery<'findSeries'>, options?: CallOptions): List<'findSeries'> =>
      this.#calls.walk('findSeries', [], query, options),
    /** One value per period, ascending. */
    values: (id: string, query?: OwnQuery<'listValues'>, options?: CallOptions): Walk<Observation, Values> =>
      this.#calls.walk('listValues', [id], paged(query, 2000), options) as Walk<Observation, Values>,
    /** The same by period label, with the day at which each was the value. */
    summary: (
      id: string,
      query?: OwnQuery<'listValues'>,
      options?: CallOptions,
    ): Walk<SummaryObservation, SummaryValues> =>
      this.#calls.walk('listValues', [id], { ...paged(query, 2000), view: 'summary' }, options) as unknown as Walk<
        SummaryObservation,
        SummaryValues
      >,
    /** Every value that each period ever had. */
    vintages: (id: string, query?: OwnQuery<'listVintages'>, options?: CallOptions): List<'listVintages'> =>
      this.#calls.walk('listVintages', [id], { limit: 2000, ...query }, options),
    /** The newest values of up to 50 series, by id or by what formulas call them. */
    newest: (
      series: string | readonly string[],
      query?: Omit<Query<'listNewestValues'>, 'series'>,
      options?: CallOptions,
    ): Promise<AnswerOf<'listNewestValues'>> => this.#calls.one('listNewestValues', [], { ...query, series }, options),
    /** When the next figures are expected. */
    next: (id: string, query?: Query<'listNextDates'>, options?: CallOptions): Promise<AnswerOf<'listNextDates'>> =>
      this.#calls.one('listNextDates', [id], query, options),
  }

  /** One agreement at a time, by its slug or id. */
  readonly agreements = {
    list: (query?: OwnQuery<'listAgreements'>, options?: CallOptions): List<'listAgreements'> =>
      this.#calls.walk('listAgreements', [], { limit: 200, ...query }, options),
    get: async (agreement: string, options?: CallOptions): Promise<AnswerOf<'getAgreement'>['data']> =>
      (await this.#calls.one('getAgreement', [agreement], undefined, options)).data,
    /** Every computed adjustment. */
    values: (
      agreement: string,
      query?: Query<'listAgreementValues'>,
      options?: CallOptions,
    ): List<'listAgreementValues'> => this.#calls.walk('listAgreementValues', [agreement], query, options),
    /** One period with its breakdown and who signed it. */
    adjustment: async (
      agreement: string,
      query?: OwnQuery<'getAdjustment'>,
      options?: CallOptions,
    ): Promise<Adjustment> => (await this.#calls.one('getAdjustment', [agreement], query, options)) as Adjustment,
    /** The same with price, steps and every figure that was read. */
    calculation: (agreement: string, query?: Query<'getCalculation'>, options?: CallOptions): Promise<Calculation> =>
      this.#calls.one('getCalculation', [agreement], query, options),
    /** The same period under other readings of the contract: it explains a disagreement, and is no price. */
    readings: (
      agreement: string,
      query?: Query<'compareReadings'>,
      options?: CallOptions,
    ): Promise<AnswerOf<'compareReadings'>> => this.#calls.one('compareReadings', [agreement], query, options),
    prices: (
      agreement: string,
      query?: OwnQuery<'listPricesOfAgreement'>,
      options?: CallOptions,
    ): List<'listPricesOfAgreement'> => this.#calls.walk('listPricesOfAgreement', [agreement], query, options),
    corrections: (
      agreement: string,
      query?: OwnQuery<'listCorrections'>,
      options?: CallOptions,
    ): List<'listCorrections'> => this.#calls.walk('listCorrections', [agreement], query, options),
    /** The settled price of a period. Needs `money`. */
    settled: (
      agreement: string,
      query?: Query<'showSettled'>,
      options?: CallOptions,
    ): Promise<AnswerOf<'showSettled'>> => this.#calls.one('showSettled', [agreement], query, options),
    /** Every cent between contract and invoices. Needs `money`. */
    ledger: (
      agreement: string,
      query?: Query<'readTrueUpLedger'>,
      options?: CallOptions,
    ): Promise<AnswerOf<'readTrueUpLedger'>> => this.#calls.one('readTrueUpLedger', [agreement], query, options),
  }

  /** The number of every agreement in one period. */
  readonly adjustments = this.#list('listAdjustments')
  /** The prices of all agreements on a day. */
  readonly prices = {
    ...this.#list('listPrices'),
    /** What the same query leaves out, and why: that keeps its old price in another system. */
    leftOut: this.#list('listLeftOut').list,
  }
  readonly due = this.#list('listDue')
  readonly releases = this.#list('listReleases')
  readonly indexEvents = this.#list('listIndexEvents')
  readonly radar = this.#list('listRadar')

  /** Kept invoice lines. Needs `money`. */
  readonly invoices = {
    ...this.#list('listInvoiceLines'),
    get: (
      supplierKey: string,
      number: string,
      query?: OwnQuery<'listLinesOfInvoice'>,
      options?: CallOptions,
    ): List<'listLinesOfInvoice'> => this.#calls.walk('listLinesOfInvoice', [supplierKey, number], query, options),
  }

  readonly corrections = {
    get: (id: string, query?: Query<'showCorrection'>, options?: CallOptions): Promise<AnswerOf<'showCorrection'>> =>
      this.#calls.one('showCorrection', [id], query, options),
  }

  /** Changes of terms: splices and amendments. */
  readonly splices = {
    ...this.#list('listSplices'),
    get: (id: string, options?: CallOptions): Promise<AnswerOf<'showSplice'>> =>
      this.#calls.one('showSplice', [id], undefined, options),
  }

  /** Receipts as text, because their hash is over their exact bytes: archive them as they come. */
  readonly receipts = {
    get: (agreement: string, query?: Query<'getReceipt'>, options?: CallOptions): Promise<string> =>
      this.#text('/v1/pams', agreement, '/adjustment/receipt', query, options),
    /** Needs `money`. */
    ofCorrection: (id: string, query?: Query<'showCorrectionReceipt'>, options?: CallOptions): Promise<string> =>
      this.#text('/ext/v1/corrections', id, '/receipt', query, options),
    verify: (receipt: string, options?: VerifyOptions): Promise<ReceiptVerdict> => verifyReceipt(receipt, options),
  }

  readonly changes = {
    list: (query?: Query<'listChanges'>, options?: CallOptions): Promise<AnswerOf<'listChanges'>> =>
      this.#calls.one('listChanges', [], query, { ...options, heldMs: (query?.wait ?? 0) * 1000 }),
    /** What happened since `from`, then what happens, as it comes. */
    follow: (
      options: FollowOptions & Pick<Query<'listChanges'>, 'kinds'> = {},
    ): AsyncGenerator<Batch<Change>, void, undefined> => followChanges(this.#calls, options),
  }

  readonly vintages = {
    list: (query?: Query<'listNewVintages'>, options?: CallOptions): Promise<AnswerOf<'listNewVintages'>> =>
      this.#calls.one('listNewVintages', [], query, options),
    /** Every vintage of all series since `from`, up to now. */
    follow: (options: Omit<FollowOptions, 'wait'> = {}): AsyncGenerator<Batch<NewVintage>, void, undefined> =>
      followVintages(this.#calls, options),
  }

  /** Checks invoice lines against the settled prices; nothing is stored. Needs `money`. */
  check(
    lines: InvoiceLines,
    query?: Query<'checkInvoiceLines'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'checkInvoiceLines'>> {
    return this.#calls.one('checkInvoiceLines', [], query, { ...options, body: bodyOf(lines) })
  }

  /** A copy of every agreement and its prices, from nothing or from the copy before. */
  sync(before: Copy | null = null, options?: CallOptions): Promise<Copy> {
    return syncCopy(this.#calls, before, options)
  }

  health(options?: CallOptions): Promise<AnswerOf<'getHealth'>> {
    return this.#calls.one('getHealth', [], undefined, options)
  }

  /** Any address of the API, with the same retries and limits: `{ path: '/ext/v1/prices', accept: 'text/csv' }`. */
  request(request: Request): Promise<Answer> {
    return this.#transport.send(request)
  }

  #list<O extends ListOperation>(operation: O) {
    return {
      list: (query?: OwnQuery<O>, options?: CallOptions): List<O> =>
        this.#calls.walk(operation, [] as never, query as Query<O>, options),
    }
  }

  async #text(
    before: string,
    id: string,
    after: string,
    query: Request['query'],
    options: CallOptions = {},
  ): Promise<string> {
    return (await this.#transport.send({ path: `${before}/${encodeURIComponent(id)}${after}`, query, ...options })).text
  }
}

/** With the largest pages, unless `last` asks for the newest ones, or something else is asked for. */
function paged<Q extends { readonly limit?: number | undefined; readonly last?: number | undefined }>(
  query: Q | undefined,
  limit: number,
) {
  return query?.last === undefined ? { limit, ...query } : query
}

function bodyOf(lines: InvoiceLines): { type: string; text: string } {
  if ('csv' in lines) return { type: 'text/csv', text: lines.csv }
  if ('xml' in lines) return { type: 'application/xml', text: lines.xml }
  return { type: 'application/json', text: JSON.stringify({ lines }) }
}
