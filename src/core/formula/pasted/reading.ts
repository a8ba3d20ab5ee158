// Which value of an index counts, as contracts word it: base, reference period, averages.
import { countOf, monthOf, ordinalOf, plainNumber } from './numbers.ts'
import { type Rule, rule, type Said } from './rule.ts'

const said = (path: string, value: string, words: string): Said => ({
  fills: [{ path: `inputs.*.${path}`, value }],
  words,
})

const units: Readonly<Record<string, string>> = {
  tag: 'day',
  woche: 'week',
  monat: 'month',
  quartal: 'quarter',
  jahr: 'year',
}
const unit = "(day|week|month|quarter|tag|woche|monat|quartal)(?:s|e|en|es|n)?['’]?"

function lengthOf(count: string, name: string): string {
  const [size, plain] = [countOf(count), units[name.toLowerCase()] ?? name.toLowerCase()]
  return `${size} ${plain}${size === '1' ? '' : 's'}`
}

const lag = (length: string): Said => said('lag', length, `read ${length} before the adjustment date`)
const adjustment =
  '(?:the |dem |der |den )?(?:(?:relevant |respective |jeweiligen )?(?:adjustment date|date of adjustment|date of the adjustment|adjustment|price adjustment|anpassungstermin|anpassungszeitpunkt|anpassungsdatum|anpassung|preisanpassung)|month of adjustment|anpassungsmonat|it|delivery month|liefermonat)'
const before = '(?:before|prior to|preceding|ahead of|vor)'
const counts =
  '(?:(?:the )?(?:reference (?:period|month|index|value)|relevant (?:index|value|month|period)|index (?:used|applied|value)|index|maßgeblich(?:er)?(?: (?:index|indexwert|monat|wert))?|referenzmonat|referenzzeitraum|bezugsmonat|bezugszeitraum|indexwert)(?: (?:is|are|shall be|used is|to be used is|ist|sind|for each adjustment is))*:? )?(?:(?:the |der |dem |den )?(?:(?:index|published|value|figure|wert|indexwert|indexstand|stand|index value) )*(?:of |for |published for |des |für |im |in )?)'

const used =
  '(?: (?:counts|is used|shall be used|applies|is relevant|is decisive|gilt|zählt|ist maßgeblich|ist maßgebend|maßgeblich))?'

const readingRules: readonly Rule[] = [
  rule(
    String.raw`(?:with |mit )?(?:a |an |the |einem |ein |der )?(?:time lag|lag|zeitversatz|versatz)(?: (?:of|is|von|beträgt))*[:=]?\s*{count}[\s-]+${unit}`,
    ({ groups: [count, name] }) => lag(lengthOf(count!, name!)),
  ),
  rule(String.raw`{count}[\s-]${unit} (?:time )?lag`, ({ groups: [count, name] }) => lag(lengthOf(count!, name!))),
  rule(
    `${counts}(?:the |den |dem |der |des )?{ordinal} (month|quarter|monats?|quartals?|monat|quartal) ${before} ${adjustment}${used}`,
    ({ groups: [nth, name] }) => lag(lengthOf(ordinalOf(nth!), name!.replace(/s$/i, ''))),
  ),
  rule(
    `${counts}(?:the (?:month|quarter) (?:that (?:is|lies) )?)?{count} ${unit} ${before} ${adjustment}${used}`,
    ({ groups: [count, name] }) => lag(lengthOf(count!, name!)),
  ),
  rule(
    `${counts}(?:the |des |dem |den )?(month|quarter|monats?|quartals?) (?:immediately )?${before} ${adjustment}${used}`,
    ({ groups: [name] }) => lag(lengthOf('1', name!.replace(/s$/i, ''))),
  ),
  rule(
    `${counts}(?:the |des |dem |den )?(?:preceding|previous|vorangegangenen|vorhergehenden|vorigen) (month|quarter|monats?|quartals?)`,
    ({ groups: [name] }) => lag(lengthOf('1', name!.replace(/s$/i, ''))),
  ),
  rule(`${counts}(?:des |dem |den )?(vormonat|vorquartal)s?`, ({ groups: [name] }) =>
    lag(lengthOf('1', /monat/i.test(name!) ? 'month' : 'quarter')),
  ),
  // Averages
  rule(
    `${counts}(?:the |das |dem )?(?:arithmetic |simple |arithmetische |arithmetischen )?(?:average|mean|mittel|mittelwert|durchschnitt)(?: (?:of|over|for|value of|values of|aus|der|über))*(?: (?:the|index|indices|values|monthly|werte|index of|index for|indexwerte|den|die|last|letzten))* {count} (month|quarter|monate?|quartale?)[ns]?(?: werte)?(?: (?:immediately )?(?:before|preceding|prior to|vor) ${adjustment})${used}`,
    ({ groups: [count, name] }) =>
      average(lengthOf(count!, name!.replace(/e$/i, '')), lengthOf('1', name!.replace(/e$/i, ''))),
  ),
  rule(
    `${counts}(?:the |das |dem )?(?:arithmetic |simple |arithmetische |arithmetischen )?(?:average|mean|mittel|mittelwert|durchschnitt)(?: (?:of|over|for|aus|der|über))*(?: (?:the|index|values|den|die|des))* (?:three months of the )?(?:preceding|previous|vorangegangenen|vorhergehenden|letzten) (quarter|month|quartals?|monats?)${used}`,
    ({ groups: [name] }) => average(lengthOf('1', name!.replace(/s$/i, '')), lengthOf('1', name!.replace(/s$/i, ''))),
  ),
  rule(
    `${counts}(?:the |die |der )?(?:latest|most recent|most recently|last|newest|zuletzt|letzte|jüngste) ?(?:index |value |figure )?(?:published|available|veröffentlichte|veröffentlichten|verfügbare)(?: (?:index|value|figure|indexwert|wert|indexstand|index value))?(?: (?:on|before|at|at the time of|as of|vor|am|zum) ${adjustment})?${used}`,
    () => said('pick', 'LATEST_PUBLISHED', 'the newest published value counts'),
  ),
]

function average(window: string, length: string): Said {
  return {
    fills: [
      { path: 'inputs.*.window', value: window },
      { path: 'inputs.*.lag', value: length },
    ],
    words: `average of ${window}, the last one ${length} before the adjustment date`,
  }
}

const baseName = String.raw`(?:the |der |die |das )?(?:base (?:month|period|index|value|date|quarter|year)|base|reference base|basismonat|basis|basiszeitraum|basisindex|basiswert|basisquartal|basisjahr|ausgangsmonat|ausgangsindex)(?: (?:of|for|der|des|für) (?:the |all |alle )?(?:index|indices|indizes|all indices|index values))?(?: (?:is|shall be|ist|sind|der|the|are))*[:=]?\s*(?:the |der |die |that of |those of |that for |those for |value of |value for |index of |index for |wert für |wert im |monat |month of |month )*`

const baseRules: readonly Rule[] = [
  rule(`${baseName}{month} {year}`, ({ groups: [month, year] }) => base(`${year}-${monthOf(month!)}`)),
  rule(
    String.raw`${baseName}(?:average (?:of|for) (?:the )?|durchschnitt (?:des |der )?)?(?:q([1-4])|{ordinal} (?:quarter|quartals?))(?: of| des jahres|/)?\s*{year}`,
    ({ groups: [quarter, nth, year] }) => base(`${year}-Q${quarter ?? ordinalOf(nth!)}`),
  ),
  rule(
    String.raw`${baseName}(?:average (?:of|for)(?: the year)? |(?:jahres)?durchschnitt (?:des jahres )?)?{year}(?!\s*=)`,
    ({ groups: [year] }) => base(year!),
  ),
  rule(
    `${baseName}(?:average (?:of|from) |durchschnitt (?:von )?)?{month}(?: {year})? (?:to|until|bis|-|–) {month} {year}`,
    ({ groups: [from, fromYear, to, year] }) => base(`${fromYear ?? year}-${monthOf(from!)}..${year}-${monthOf(to!)}`),
  ),
  rule(`${baseName}{num}(?! ?%)`, ({ groups: [value] }) => {
    const plain = plainNumber(value!)
    return { fills: [{ path: 'inputs.*.base.value', value: plain }], words: `base value ${plain}`, needsOneIndex: true }
  }),
]

const base = (period: string): Said => said('base', period, `base ${period}`)

export const valueRules: readonly Rule[] = [...readingRules, ...baseRules]
