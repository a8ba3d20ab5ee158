// The routes of /ext/v1: one table that serves, validates and describes.
import { type Route, RouteTable, route } from '../api/route.ts'
import { adjustmentsParameters, listAdjustments } from './adjustments.ts'
import { changesParameters, listChanges } from './changes.ts'
import { checkBody, checkInvoiceLines, checkParameters } from './check.ts'
import {
  correctionParameters,
  correctionsParameters,
  listCorrections,
  settledParameters,
  showCorrectionReceipt,
  showOneCorrection,
  showSettled,
} from './corrections.ts'
import { dueParameters, listDueDates } from './due.ts'
import { indexEventsParameters, listIndexEvents } from './index-events.ts'
import { invoiceParameters, invoicesParameters, listInvoices, showInvoice } from './invoices.ts'
import { ledgerParameters, readLedger } from './ledger.ts'
import { listNextDates, nextParameters } from './next-dates.ts'
import { leftOutParameters, listLeftOut } from './price-files.ts'
import { listPricesOfAll, listPricesOfOne, pricesOfOneParameters, pricesParameters } from './prices.ts'
import { listRadar, radarParameters } from './radar.ts'
import { listReadings, readingsParameters } from './readings.ts'
import { listCalendar, releasesParameters } from './releases.ts'
import { findSeries, seriesParameters } from './series.ts'
import { listSplices, showSplice, spliceParameters, splicesParameters } from './splices.ts'
import { listNewestValues, valuesParameters } from './values.ts'
import { listNewVintages, vintagesParameters } from './vintages.ts'

export const routes: readonly Route[] = [
  route('/changes', 'What happened, in order', 'ChangeList', changesParameters, listChanges),
  route('/vintages', 'Every new vintage of all series', 'VintageList', vintagesParameters, listNewVintages),
  route(
    '/adjustments',
    'The number of every agreement in one period',
    'AdjustmentList',
    adjustmentsParameters,
    listAdjustments,
  ),
  route('/values', 'The newest values of many series', 'ValuesList', valuesParameters, listNewestValues),
  route('/prices', 'The prices of all agreements on a day', 'PriceList', pricesParameters, listPricesOfAll),
  route(
    '/pams/{pamId}/readings',
    'One agreement under other readings of its contract',
    'ReadingList',
    readingsParameters,
    listReadings,
    { isHeavy: true },
  ),
  route('/left-out', 'What is not among the prices, and why', 'LeftOutList', leftOutParameters, listLeftOut),
  route('/pams/{pamId}/prices', 'The prices of one agreement', 'PriceList', pricesOfOneParameters, listPricesOfOne),
  route('/invoices', 'Kept invoice lines', 'InvoiceLineList', invoicesParameters, listInvoices, { needs: 'money' }),
  route(
    '/invoices/{supplierKey}/{number}',
    'The kept lines of one invoice',
    'InvoiceLineList',
    invoiceParameters,
    showInvoice,
    { needs: 'money' },
  ),
  route('/check', 'Checks invoice lines against settled prices', 'CheckAnswer', checkParameters, checkInvoiceLines, {
    needs: 'money',
    body: checkBody,
    isHeavy: true,
  }),
  route(
    '/pams/{pamId}/corrections',
    'The corrections of an agreement',
    'CorrectionList',
    correctionsParameters,
    listCorrections,
  ),
  route('/corrections/{correctionId}', 'One correction', 'Correction', correctionParameters, showOneCorrection),
  route(
    '/corrections/{correctionId}/receipt',
    'Everything needed to check a correction offline',
    'CorrectionReceipt',
    correctionParameters,
    showCorrectionReceipt,
    { needs: 'money' },
  ),
  route('/pams/{pamId}/settled', 'The number both parties settled on', 'Settled', settledParameters, showSettled, {
    needs: 'money',
  }),
  route('/due', 'What is due, and what it waits for', 'DueList', dueParameters, listDueDates),
  route(
    '/series/{seriesId}/next',
    'When the next figures of a series are expected',
    'NextDates',
    nextParameters,
    listNextDates,
  ),
  route('/splices', 'Changes of terms that both sign', 'SpliceList', splicesParameters, listSplices),
  route('/splices/{spliceId}', 'One change of terms', 'Splice', spliceParameters, showSplice),
  route('/series', 'Finds series by what formulas call them', 'SeriesList', seriesParameters, findSeries),
  route('/releases', 'What providers announce to publish', 'ReleaseList', releasesParameters, listCalendar),
  route('/index-events', 'What is known about indices', 'IndexEventList', indexEventsParameters, listIndexEvents),
  route('/radar', 'What publications did to agreements', 'RadarList', radarParameters, listRadar),
  route(
    '/pams/{pamId}/ledger',
    'Every cent between contract and invoices',
    'TrueUpLedger',
    ledgerParameters,
    readLedger,
    { needs: 'money' },
  ),
]

export const table = new RouteTable('ext/v1', routes)
