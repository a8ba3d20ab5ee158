// Rounding of a line in words for the table: `rounded 2 dp FLOOR` becomes `rounded to 2 decimals, down`.

const modeWords: Readonly<Record<string, string>> = {
  HALF_EVEN: 'a half to the even digit',
  HALF_DOWN: 'a half toward zero',
  UP: 'away from zero',
  DOWN: 'the rest cut off',
  CEILING: 'up',
  FLOOR: 'down',
}

const part = /^(rounded|shown) (?:(-?\d+) dp|to (\S+))(?: ([A-Z_]+))?$/

/** Text in any other form is returned unchanged. */
export function formatRounding(rounding: string): string {
  return rounding
    .split(', ')
    .map(text => {
      const [, verb, dp, multiple, mode] = part.exec(text) ?? []
      if (verb === undefined) return text
      const how = mode === undefined ? '' : `, ${modeWords[mode] ?? mode}`
      return `${verb} to ${dp === undefined ? multiple : formatDecimals(dp)}${how}`
    })
    .join('; ')
}

function formatDecimals(dp: string): string {
  if (dp === '0') return 'a whole number'
  if (dp.startsWith('-')) return `${dp.slice(1)} places before the point`
  return dp === '1' ? '1 decimal' : `${dp} decimals`
}
