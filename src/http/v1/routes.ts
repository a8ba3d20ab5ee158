// The routes of v1: one table that serves, validates and describes.
import type { Parameters } from '../parameters.ts'
import {
  adjustmentParameters,
  listPamValues,
  pamValuesParameters,
  receiptParameters,
  showAdjustment,
  showCalculation,
  showReceipt,
} from './adjustment.ts'
import type { Handled, V1Request } from './context.ts'
import { listPams, pamListParameters, pamParameters, showPam } from './pams.ts'
import { listSeries, seriesListParameters } from './series.ts'
import { listValues, listVintages, valuesParameters, vintagesParameters } from './values.ts'

export interface Route {
  /** As the description writes it: `/series/{seriesId}/values`. */
  readonly path: string
  readonly summary: string
  readonly parameters: Parameters
  /** The name of the answer's schema. */
  readonly answer: string
  readonly handle: (request: V1Request<Parameters>) => Handled
}

function route<P extends Parameters>(
  path: string,
  summary: string,
  answer: string,
  parameters: P,
  handle: (request: V1Request<P>) => Handled,
): Route {
  return { path, summary, answer, parameters, handle: handle as unknown as Route['handle'] }
}

export const routes: readonly Route[] = [
  route('/series', 'Series visible to the workspace', 'SeriesList', seriesListParameters, listSeries),
  route('/series/{seriesId}/values', 'Observations of one series, ascending', 'Values', valuesParameters, listValues),
  route('/series/{seriesId}/vintages', 'Every vintage of every period', 'Vintages', vintagesParameters, listVintages),
  route('/pams', 'Price adjustment models of the workspace', 'PamList', pamListParameters, listPams),
  route('/pams/{pamId}', 'One price adjustment model, by id or slug', 'Pam', pamParameters, showPam),
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

interface Found {
  readonly route: Route
  readonly id: string
}

const lists = new Map(routes.filter(({ path }) => !path.includes('{')).map(each => [each.path.slice(1), each]))
const ofOne = new Map(
  routes.filter(({ path }) => path.includes('{')).map(each => [each.path.replace(/\{[^}]+\}/, '*'), each]),
)

/** The route of a path behind the prefix, and the identifier in it. Without taking the path to pieces: every request asks. */
export function findRoute(path: string): Found | null {
  const afterNoun = path.indexOf('/', 1)
  if (afterNoun < 0) {
    const list = lists.get(path.slice(1))
    return list === undefined ? null : { route: list, id: '' }
  }
  const afterId = path.indexOf('/', afterNoun + 1)
  const id = afterId < 0 ? path.slice(afterNoun + 1) : path.slice(afterNoun + 1, afterId)
  const route = ofOne.get(`${path.slice(0, afterNoun)}/*${afterId < 0 ? '' : path.slice(afterId)}`)
  return route === undefined || id === '' ? null : { route, id: decodeId(id) }
}

/** An identifier that does not decode is one that does not exist. */
function decodeId(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
