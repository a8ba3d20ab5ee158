// The routes of /ext/v1: one table that serves, validates and describes.
import { type Route, RouteTable, route } from '../api/route.ts'
import { adjustmentsParameters, listAdjustments } from './adjustments.ts'
import { changesParameters, listChanges } from './changes.ts'
import { findSeries, seriesParameters } from './series.ts'
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
  route('/series', 'Finds series by what formulas call them', 'SeriesList', seriesParameters, findSeries),
]

export const table = new RouteTable(routes)
