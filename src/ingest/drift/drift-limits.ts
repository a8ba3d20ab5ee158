// The bounds of watching the shape of answers.

export const driftLimits = {
  /** Fields of longer answers are not looked at: their content type, their format and their figures are. */
  formBytes: 4 * 1024 * 1024,
  /** Items looked at in a long list: so many at its beginning and as many at its end. */
  itemsLooked: 100,
  rowsLooked: 500,
  /** An object with more members is a list by another name. */
  members: 60,
  fields: 600,
  depth: 30,
  labelLength: 120,
  /** Common periods that must agree before a change of all figures is called one. */
  agreeing: 2,
  lostDecimals: 3,
  shifted: 3,
  /** Newest periods that were stored and are no longer sent. */
  newestGone: 2,
  /** Least series of one frequency in a family. */
  family: 3,
  /** Places of one drift that are shown; the others are counted. */
  places: 40,
  lines: 60,
} as const
