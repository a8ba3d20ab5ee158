// Caps, floors, collars, thresholds and shares that are passed on, as contracts word them.
import { hundredth, plainNumber } from './numbers.ts'
import { type Fill, type Phrase, type Rule, rule, type Said } from './rule.ts'

interface Span {
  readonly key: 'periodPct' | 'yearPct' | 'cumulativePct'
  readonly year: 'CONTRACT' | 'CALENDAR' | null
  readonly words: string
  /** "Per quarter" is per period only where the price is adjusted every quarter. */
  readonly frequency?: string
}

function spanOf(given: string | undefined): Span {
  const text = given?.toLowerCase() ?? ''
  if (/calendar|kalender/.test(text)) return { key: 'yearPct', year: 'CALENDAR', words: 'per calendar year' }
  if (/year|annu|p\.|jahr|jähr/.test(text)) return { key: 'yearPct', year: 'CONTRACT', words: 'per contract year' }
  if (/total|in all|overall|cumul|insgesamt|summe|term|life|laufzeit/.test(text))
    return { key: 'cumulativePct', year: null, words: 'in all' }
  const period = { key: 'periodPct', year: null, words: 'per adjustment' } as const
  if (/quart/.test(text)) return { ...period, frequency: 'QUARTERLY' }
  return /mon/.test(text) ? { ...period, frequency: 'MONTHLY' } : period
}

type Side = 'cap' | 'floor'

function limit(pct: string, span: string | undefined, sides: readonly Side[]): Said {
  const size = plainNumber(pct)
  const { key, year, words, frequency } = spanOf(span)
  const fills = sides.flatMap((side): Fill[] => [
    { path: `clause.${side}.${key}`, value: side === 'cap' || isZero(size) ? size : `-${size}` },
    ...(year === null ? [] : [{ path: `clause.${side}.year`, value: year }]),
  ])
  const said = sides.map(side => (side === 'cap' ? `cap +${size} %` : `floor ${isZero(size) ? '' : '−'}${size} %`))
  return {
    fills,
    words: `${said.join(' and ')} ${words}`,
    ...(frequency === undefined ? {} : { needsFrequency: frequency }),
  }
}

const isZero = (text: string) => !/[1-9]/.test(text)

const rises =
  '(?:(?:price |annual |yearly |upward )*(?:increases?|rises?|upward adjustments?)|(?:jährliche |jede )?(?:preis)?(?:erhöhungen|erhöhung|steigerungen|steigerung|anstieg))'
const falls =
  '(?:(?:price |annual |yearly |downward )*(?:decreases?|reductions?|falls?|downward adjustments?)|(?:jährliche |jede )?(?:preis)?(?:senkungen|senkung|minderungen|minderung|reduzierungen|reduzierung|rückgang))'
const changes =
  '(?:(?:price |annual |yearly )*(?:adjustments?|changes?|movements?|variations?)|(?:jährliche |jede )?(?:preis)?(?:anpassungen|anpassung|änderungen|änderung|veränderungen|veränderung))'
const atMost = String.raw`(?:no more than|not more than|at most|a maximum of|maximum|max\.?|höchstens|maximal|nicht mehr als)`
const isLimited = `(?:(?:is|are|shall be|will be|ist|sind|wird|werden)? ?(?:capped|limited|restricted|begrenzt|gedeckelt|beschränkt) (?:at|to|auf|bei|mit)(?: ${atMost})?|(?:is|are|shall be|will be|beträgt|betragen|ist|sind) ${atMost}|(?:may|shall|must|will|can|does|do|darf|dürfen|kann) not exceed|(?:darf|dürfen))`
const bothWays =
  '(?:in (?:either|both|each) directions?|up or down|upwards? or downwards?|upwards? and downwards?|nach oben (?:oder|und|wie) (?:nach )?unten|in beide richtungen|in beiden richtungen)'

const takeSides =
  (...sides: readonly Side[]) =>
  ({ groups: [pct, span, after] }: Phrase) =>
    limit(pct!, span ?? after, sides)

/** Where the span may stand before the number as well. */
const takeBefore =
  (...sides: readonly Side[]) =>
  ({ groups: [before, pct, span] }: Phrase) =>
    limit(pct!, before ?? span, sides)

/** A rise and a fall; a span after the second counts for both. */
function bothOf({ groups: [before, up, first, down, last] }: Phrase): Said {
  return joinSaid(limit(up!, before ?? first ?? last, ['cap']), limit(down!, before ?? last ?? first, ['floor']))
}

const limitRules: readonly Rule[] = [
  // ± 5 %, plus or minus 5 %
  rule(
    String.raw`(?:(?:a )?collar(?: of|:)?\s*|(?:${changes} ~ )?(?:limited|restricted|capped|begrenzt|beschränkt) (?:to|at|auf) )?(?:±|\+\s?/\s?[-−–]|plus or minus|plus/minus|plus oder minus)\s*{pct}{span}(?: (?:begrenzt|beschränkt))?`,
    takeSides('cap', 'floor'),
  ),
  rule(
    `${changes}(?: of the price| des preises)? ${isLimited} {pct}{span} ${bothWays}{span}`,
    takeSides('cap', 'floor'),
  ),
  rule(
    `${changes}(?: of the price| des preises)? ${isLimited} ${bothWays} (?:to |auf )?{pct}{span}`,
    takeSides('cap', 'floor'),
  ),
  rule(
    String.raw`(?:${changes} (?:is|are|shall be|will be|ist|sind|liegt|liegen)? ?(?:limited to|kept|held)? ?)?(?:between|within|zwischen|von)\s*[-−–]\s*{pct} (?:and|to|und|bis)\s*\+\s*{pct}{span}`,
    ({ groups: [low, high, span] }) => joinSaid(limit(low!, span, ['floor']), limit(high!, span, ['cap'])),
  ),
  // Caps
  rule(
    `${rises}(?: of the price| des preises)? ${isLimited} {pct}{span}(?: (?:nicht überschreiten|nicht übersteigen|begrenzt|betragen))?`,
    takeSides('cap'),
  ),
  rule(
    `(?:may|shall|must|will|can|darf|kann) (?:not |nicht |never )?(?:increase|rise|go up|be increased|be raised) by (?:more than|${atMost}) {pct}{span}`,
    phrase =>
      /more than/i.test(phrase.text) && !/not|never|no more/i.test(phrase.text)
        ? 'it does not limit anything'
        : takeSides('cap')(phrase),
  ),
  rule(`(?:increases?|rises?) by ${atMost} {pct}{span}`, takeSides('cap')),
  rule(`(?:steigt|erhöht sich)(?: der preis)?{span} um ${atMost} {pct}{span}`, takeBefore('cap')),
  rule(
    `(?:darf|dürfen|kann){span} um ${atMost} {pct}{span} (?:steigen|erhöht werden|angehoben werden|ansteigen)`,
    takeBefore('cap'),
  ),
  rule(
    `(?:darf|dürfen){span} nicht um mehr als {pct}{span} (?:steigen|erhöht werden|angehoben werden|ansteigen)`,
    takeBefore('cap'),
  ),
  rule(
    String.raw`(?:a |the |an |eine |die )?(?:(?:annual |yearly )?(?:cap|ceiling|upper limit)|obergrenze|kappungsgrenze|kappung|deckel(?:ung)?)(?:${' '}(?:of|at|is|von|bei|beträgt|liegt bei))*[:=]?\s*\+?\s*{pct}{span}`,
    takeSides('cap'),
  ),
  rule(
    String.raw`(?:is |are |ist |wird )?(?:capped|gedeckelt)(?: at| to| auf| bei)\s*\+?\s*{pct}{span}`,
    takeSides('cap'),
  ),
  rule(String.raw`${atMost}\s*\+?\s*{pct}{span}`, takeSides('cap')),
  rule(
    `${rises}(?: des preises)? (?:sind|ist|werden|wird){span} auf (?:höchstens |maximal )?{pct}{span} (?:begrenzt|beschränkt|gedeckelt)`,
    takeBefore('cap'),
  ),
  rule(
    `(?:darf|dürfen|kann){span} um ${atMost} {pct}{span} steigen (?:und|oder|bzw\\.) um ${atMost} {pct}{span} (?:sinken|fallen)`,
    bothOf,
  ),
  rule(
    `(?:may|shall|must) not (?:rise|increase) by more than {pct}{span} (?:or|nor|and)(?: shall it)? (?:fall|decrease|drop) by more than {pct}{span}`,
    ({ groups: [up, first, down, last], ...rest }) => bothOf({ ...rest, groups: [undefined, up, first, down, last] }),
  ),
  // Floors
  rule(
    `${falls}(?: des preises)? (?:sind|ist|werden|wird){span} auf (?:höchstens |maximal )?{pct}{span} (?:begrenzt|beschränkt|gedeckelt)`,
    takeBefore('floor'),
  ),
  rule(
    `${changes}(?: des preises)? (?:sind|ist|werden|wird){span} ${bothWays} auf (?:höchstens |maximal )?{pct}{span} (?:begrenzt|beschränkt|gedeckelt)`,
    takeBefore('cap', 'floor'),
  ),
  rule(
    `${falls}(?: of the price| des preises)? ${isLimited} {pct}{span}(?: (?:nicht überschreiten|nicht übersteigen|begrenzt|betragen))?`,
    takeSides('floor'),
  ),
  rule(
    `(?:may|shall|must|will|can) (?:not |never )(?:decrease|fall|drop|go down|be reduced) by more than {pct}{span}`,
    takeSides('floor'),
  ),
  rule(`(?:may|shall|will|can )?(?:decreases?|falls?|be reduced) by ${atMost} {pct}{span}`, takeSides('floor')),
  rule(`(?:sinkt|fällt|vermindert sich)(?: der preis)?{span} um ${atMost} {pct}{span}`, takeBefore('floor')),
  rule(
    `(?:darf|dürfen|kann){span} (?:um ${atMost}|nicht um mehr als) {pct}{span} (?:sinken|fallen|gesenkt werden|reduziert werden)`,
    takeBefore('floor'),
  ),
  rule(
    String.raw`(?:a |the |eine |die )?(?:floor|lower limit|untergrenze)(?:${' '}(?:of|at|is|von|bei|beträgt|liegt bei))*[:=]?\s*([-−–+]?)\s*{pct}{span}`,
    ({ groups: [sign, pct, span] }) => {
      // "Floor 5 %" may mean that it rises by 5 % at least, or that it falls by 5 % at most.
      const size = plainNumber(pct!)
      if (sign === '' && !isZero(size)) return 'a floor without a sign may be a rise or a fall'
      const said = limit(pct!, span, ['floor'])
      return sign === '+' ? { ...said, fills: said.fills.map(raise), words: said.words.replace('−', '+') } : said
    },
  ),
  rule(
    '(?:(?:there (?:is|shall be|will be) )?no (?:price )?(?:decreases?|reductions?|downward adjustments?)(?: (?:is|are|shall be|will be) (?:made|applied))?|(?:shall|will|may|can|does) (?:never|not) (?:decrease|fall|go down|be reduced|be decreased)|never (?:decreases?|falls?|goes down)|upwards? only|(?:eine )?(?:preis)?(?:senkungen?|minderungen?) (?:ist|sind|werden|wird) ausgeschlossen|keine (?:preis)?senkung(?:en)?|sinkt nie|nur nach oben)(?! by| below| under| unter)',
    () => ({ fills: [{ path: 'clause.floor.periodPct', value: '0' }], words: 'never down' }),
  ),
  rule(
    '(?:(?:may|shall|must|will|can) (?:not|never) (?:fall|drop|go|be|be reduced) below|(?:darf|kann) nicht unter) (?:the |den |dem )?(?:base price|contract price|initial price|starting price|grundpreis|basispreis|ausgangspreis)(?: (?:sinken|fallen|liegen))?',
    () => ({
      fills: [{ path: 'clause.floor.cumulativePct', value: '0' }],
      words: 'never below the price at the start',
    }),
  ),
  // Which way it counts is not said.
  rule(
    `${changes}(?: of the price| des preises)? ${isLimited} {pct}{span}(?: (?:nicht überschreiten|nicht übersteigen|begrenzt|betragen))?`,
    () => 'it does not say whether the limit counts upwards only or both ways',
  ),
]

const raise = ({ path, value }: Fill): Fill => ({ path, value: value.replace('-', '') })

function joinSaid(one: Said, other: Said): Said {
  return { ...one, ...other, fills: [...one.fills, ...other.fills], words: `${one.words}, ${other.words}` }
}

type Test = 'EXCEEDS' | 'REACHES'

function threshold(pct: string, test: Test, pays: 'ALL' | 'EXCESS' | null, subject = ''): Said {
  const size = plainNumber(pct)
  const fills: Fill[] = [
    { path: 'clause.threshold.pct', value: size },
    { path: 'clause.threshold.test', value: test },
    ...(pays === null ? [] : [{ path: 'clause.threshold.pays', value: pays }]),
  ]
  const words = `threshold ${size} %: adjusted only ${test === 'EXCEEDS' ? 'above' : 'from'} it`
  return { fills, words, ...(/ind(?:ex|iz)/i.test(subject) ? { needsOneIndex: true } : {}) }
}

const few = `(?:${changes}|(?:the |such |any |a |die |eine )?(?:resulting |calculated |index |sich ergebende |errechnete )?(?:${changes}|index|difference|abweichung|preisindex|verbraucherpreisindex))`
const nothing =
  '(?:(?:(?:is|are|shall be|will be|shall|will) )?(?:not (?:be )?(?:made|applied|passed on|taken into account|considered|implemented|carried out)|disregarded|ignored)|(?:bleiben|bleibt) (?:unberücksichtigt|außer betracht)|(?:werden|wird) nicht (?:berücksichtigt|vorgenommen|durchgeführt|weitergegeben)|(?:finden|findet) nicht statt|unterbleiben|unterbleibt|entfallen|entfällt|erfolgen nicht|erfolgt nicht)'
const none =
  '(?:no (?:price )?(?:adjustment|change|revision)(?: of the price)? (?:is|shall be|will be) (?:made|applied|carried out)|no (?:price )?(?:adjustment|change|revision) (?:takes|shall take|will take) place|the price (?:remains|shall remain|stays) unchanged|(?:so )?(?:erfolgt|findet) keine (?:preis)?anpassung(?: statt)?|keine (?:preis)?anpassung|(?:so )?(?:bleibt|bleiben) (?:der preis|die preise) unverändert|(?:so )?unterbleibt (?:die|eine) (?:preis)?anpassung|eine (?:preis)?anpassung (?:unterbleibt|entfällt|erfolgt nicht))'
const less =
  '(?:(?:of )?(?:less than|below|under|smaller than)|(?:von )?(?:weniger als|unter|unterhalb von|kleiner als))'
const whenever = '(?:if|where|when|whenever|as long as|so long as|wenn|falls|sofern|solange|soweit)'
const onlyIf =
  '(?:only(?: made| adjusted| applied)? (?:if|when|where)|only applies (?:if|when|where)|if and only if|provided that|nur,? (?:dann,? )?(?:wenn|falls|sofern)|nur|erst,? (?:dann,? )?(?:wenn|falls)|sofern|soweit|wenn|if|when|once|where)'
const either = `(?: ${bothWays})?`
const since =
  '(?: (?:since|compared with|compared to|against|from|gegenüber|seit) (?:the |der |dem |den )?(?:last|previous|preceding|letzten?|vorherigen|vorangegangenen) (?:adjustment|price adjustment|anpassung|preisanpassung))?'
const moved =
  '(?:(?:the |der |die |das |sich )*(index|preisindex|verbraucherpreisindex|indices|price|change|adjustment|movement|preis|änderung|veränderung|anpassung|preisänderung|index change|change in the index|change of the price|indexänderung|resulting change|calculated change)(?: (?:has|have|sich|hat|is|are|shall))*)'
const more =
  '(?:(?:changed|changes|moved|moves|is|are|has changed|has moved|amounts to|differs|deviates|varied|varies)? ?(?:by )?(?:more than|greater than)|exceeds?|(?:um )?mehr als)'
const least =
  '(?:(?:changed|changes|moved|moves|is|are|amounts to|varies)? ?(?:by )?at least|reaches|(?:um )?mindestens)'
const verbLast =
  '(?: (?:beträgt|betragen|übersteigt|überschreitet|erreicht|ändert|geändert hat|verändert|verändert hat|ausmacht|abweicht|gestiegen oder gefallen ist))?'

const thresholdRules: readonly Rule[] = [
  rule(`${few} ${less} {pct}${either}${since} ${nothing}`, ({ groups: [pct], text }) =>
    threshold(pct!, 'REACHES', null, text),
  ),
  rule(
    `${few} (?:of )?(?:up to|not exceeding|not more than|bis zu|von bis zu) {pct}${either} ${nothing}`,
    ({ groups: [pct], text }) => threshold(pct!, 'EXCEEDS', null, text),
  ),
  rule(
    `${whenever} ${few} (?:is|amounts to|beträgt|liegt)? ?${less} {pct}${either}(?: (?:beträgt|liegt|ausmacht))?,? ${none}`,
    ({ groups: [pct], text }) => threshold(pct!, 'REACHES', null, text),
  ),
  rule(`(?:beträgt|liegt|ist|macht) ${few} ${less} {pct}${either}(?: aus)?,? ${none}`, ({ groups: [pct], text }) =>
    threshold(pct!, 'REACHES', null, text),
  ),
  rule(
    `${none},? ${whenever} ${few} (?:is |amounts to |liegt |beträgt )?${less} {pct}${either}(?: (?:beträgt|liegt|ausmacht))?`,
    ({ groups: [pct], text }) => threshold(pct!, 'REACHES', null, text),
  ),
  rule(
    `${none},? ${whenever} ${few} (?:does not exceed|do not exceed|nicht mehr als) {pct}${either}(?: (?:beträgt|ausmacht))?`,
    ({ groups: [pct], text }) => threshold(pct!, 'EXCEEDS', null, text),
  ),
  rule(`${none},? ${whenever} ${few} {pct} nicht (?:übersteigt|überschreitet)`, ({ groups: [pct], text }) =>
    threshold(pct!, 'EXCEEDS', null, text),
  ),
  rule(
    `${none} unless ${few} (?:exceeds|is more than|is greater than|changes by more than|has changed by more than) {pct}${either}`,
    ({ groups: [pct], text }) => threshold(pct!, 'EXCEEDS', null, text),
  ),
  rule(`${onlyIf} ${moved} ${more} {pct}${either}${since}${verbLast}`, ({ groups: [subject, pct] }) =>
    threshold(pct!, 'EXCEEDS', null, subject),
  ),
  rule(`${onlyIf} ${moved} ${least} {pct}${either}${since}${verbLast}`, ({ groups: [subject, pct] }) =>
    threshold(pct!, 'REACHES', null, subject),
  ),
  rule(
    `${onlyIf} ${moved} {pct}${either}${since} (übersteigt|überschreitet|erreicht)`,
    ({ groups: [subject, pct, verb] }) =>
      threshold(pct!, /erreicht/i.test(verb!) ? 'REACHES' : 'EXCEEDS', null, subject),
  ),
  rule(`only (?:for )?(?:changes|adjustments|movements) (?:of )?more than {pct}`, ({ groups: [pct] }) =>
    threshold(pct!, 'EXCEEDS', null),
  ),
  rule(`nur bei (?:änderungen|veränderungen|abweichungen) von mehr als {pct}`, ({ groups: [pct] }) =>
    threshold(pct!, 'EXCEEDS', null),
  ),
  rule(
    String.raw`(?:a |the |eine |die |der |ein )?(?:threshold|trigger|schwelle(?:nwert)?|schwellwert|bagatellgrenze)(?: (?:of|is|at|von|beträgt|liegt bei))*[:=]?\s*{pct}`,
    ({ groups: [pct] }) => threshold(pct!, 'EXCEEDS', null),
  ),
  rule(
    String.raw`(?:a |the |ein |der )?(?:dead ?band|freibetrag|selbstbehalt)(?: (?:of|is|at|von|beträgt))*[:=]?\s*{pct}`,
    ({ groups: [pct] }) => threshold(pct!, 'EXCEEDS', 'EXCESS'),
  ),
  rule(
    `only the (?:part|portion|share|amount)(?: of the (?:change|movement|adjustment|increase or decrease))? (?:that exceeds|which exceeds|exceeding|above|in excess of|beyond) {pct} (?:is|shall be|will be) (?:passed on|applied|adjusted|paid|taken into account)`,
    ({ groups: [pct] }) => threshold(pct!, 'EXCEEDS', 'EXCESS'),
  ),
  rule(
    `(?:nur der (?:teil|anteil)(?: der (?:änderung|veränderung|anpassung))?,? der|nur der) {pct} (?:übersteigt|überschreitet|übersteigende teil|überschreitende teil)(?: der (?:änderung|veränderung|anpassung))?,? (?:wird )?(?:weitergegeben|berücksichtigt|angepasst)`,
    ({ groups: [pct] }) => threshold(pct!, 'EXCEEDS', 'EXCESS'),
  ),
  rule(
    '(?:(?:in (?:that|this|such) case|if so|in diesem fall|dann|beyond it|above it|if it is (?:exceeded|reached)|once (?:it is )?(?:exceeded|reached)|wird (?:sie|die schwelle|der schwellenwert) überschritten),? )?(?:only the (?:excess|part exceeding (?:it|the threshold|this threshold)|portion above (?:it|the threshold))|nur der (?:übersteigende|darüber hinausgehende|überschießende) (?:teil|betrag)|wird nur der (?:übersteigende|darüber hinausgehende|überschießende) (?:teil|betrag))(?: (?:is|shall be|will be|wird))?(?: (?:passed on|applied|adjusted|paid|weitergegeben|berücksichtigt|angepasst))?',
    () => ({
      fills: [{ path: 'clause.threshold.pays', value: 'EXCESS' }],
      words: 'only what exceeds the threshold is paid',
    }),
  ),
  rule(
    '(?:(?:in (?:that|this|such) case|if so|in diesem fall|dann|beyond it|above it|if it is (?:exceeded|reached)|once (?:it is )?(?:exceeded|reached)|wird (?:sie|die schwelle|der schwellenwert) überschritten),? )?(?:(?:the )?(?:full|whole|entire) (?:change|movement|adjustment|amount) (?:is|shall be|will be) (?:passed on|applied|adjusted|made|paid)|(?:the )?(?:price|adjustment|change) (?:is|shall be|will be) (?:adjusted|made|applied|passed on) in full|(?:wird|erfolgt) (?:die |der )?(?:gesamte |volle |ganze )?(?:änderung|veränderung|anpassung|preis)?(?: wird)? ?(?:in voller höhe|vollständig|in vollem umfang)(?: (?:weitergegeben|angepasst|berücksichtigt))?|wird die (?:gesamte|volle|ganze) (?:änderung|veränderung) (?:weitergegeben|berücksichtigt))',
    () => ({
      fills: [{ path: 'clause.threshold.pays', value: 'ALL' }],
      words: 'beyond the threshold all of it is paid',
    }),
  ),
]

const passed =
  '(?:passed on|passed through|passed on to the (?:buyer|customer)|applied to the price|borne by the buyer)'
const takeShare = ({ groups }: Phrase): Said => {
  const pct = plainNumber(groups.find(each => each !== undefined)!)
  return { fills: [{ path: 'clause.passThrough', value: hundredth(pct) }], words: `${pct} % of a change is passed on` }
}

const sharingRules: readonly Rule[] = [
  rule(
    `(?:only )?{pct} of (?:the |any |each |every |such )?(?:resulting |calculated )?(?:${changes}|index movement|change in the index) (?:is|are|shall be|will be) ${passed}`,
    takeShare,
  ),
  rule(
    `(?:nur |lediglich )?{pct} (?:der|jeder|einer) (?:errechneten )?(?:${changes}|indexänderung|preisindexänderung) (?:wird|werden) (?:an den (?:käufer|kunden|besteller) )?(?:weitergegeben|berücksichtigt)`,
    takeShare,
  ),
  rule(`${changes} (?:is|are|shall be|will be) ${passed} (?:at|to the extent of|by|in the amount of) {pct}`, takeShare),
  rule(
    `(?:${changes}|indexänderungen) (?:wird|werden) (?:zu|in höhe von|mit) {pct} (?:weitergegeben|berücksichtigt)`,
    takeShare,
  ),
  rule(String.raw`(?:pass[- ]?through|weitergabe)(?: (?:of|is|at|rate|von|beträgt))*[:=]?\s*{pct}`, takeShare),
  rule('{pct} (?:of it |davon )?(?:is |are |wird |werden )?(?:passed on|passed through|weitergegeben)', takeShare),
]

export const controlRules: readonly Rule[] = [...limitRules, ...thresholdRules, ...sharingRules]
