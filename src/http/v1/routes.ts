// The routes of v1: one table that serves, validates and describes.
import { type Route, RouteTable, route } from '../api/route.ts'

import {
  adjustmentParameters,
  listPamValues,
  pamValuesParameters,
  receiptParameters,
  showAdjustment,
  showCalculation,
  showReceipt,
} from './adjustment.ts'
import { listPams, pamListParameters, pamParameters, showPam } from './agreements.ts'
import { listSeries, seriesListParameters } from './series.ts'
import { listValues, listVintages, valuesParameters, vintagesParameters } from './values.ts'

export const routes: readonly Route[] = [
  route('/series', 'Series visible to the workspace', 'SeriesList', seriesListParameters, listSeries),
  route('/series/{seriesId}/values', 'Observations of one series, ascending', 'Values', valuesParameters, listValues),
  route('/series/{seriesId}/vintages', 'Every vintage of every period', 'Vintages', vintagesParameters, listVintages),
  route('/pams', 'Agreements of the workspace', 'PamList', pamListParameters, listPams),
  route('/pams/{pamId}', 'One agreement, by id or slug', 'Pam', pamParameters, showPam),
  route('/pams/{pamId}/values', 'Computed adjustments of a model', 'PamValues', pamValuesParameters, listPamValues),
  route('/pams/{pamId}/adjustment', 'The adjustment of one period', 'Adjustment', adjustmentParameters, showAdjustment),
  route(
    '/pams/{pamId}/adjustment/calculation',
    'The adjustment of one period with its whole calculation',
    'Calculation',
    receiptParameters,
    showCalculation,
  ),
  route(
    '/pams/{pamId}/adjustment/receipt',
    'Everything needed to recompute an adjustment',
    'Receipt',
    receiptParameters,
    showReceipt,
  ),
]

export const table = new RouteTable('v1', routes)
