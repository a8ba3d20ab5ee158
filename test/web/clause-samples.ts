// Clauses as they are written in contracts, with what each of them says, and sentences that look like one and say nothing about the
// price. Our own sentences, in the usual style.

export type Tree = { readonly [key: string]: string | Tree }

export interface Expected {
  readonly contract?: Tree
  readonly inputs: { readonly [name: string]: Tree }
  readonly clause?: Tree
  readonly description?: string
  /** Of inputs, where the text says none. */
  readonly base?: string
}

/** The whole document, where only what the clause says is written out. */

const cpi = { consumer_price_index: { weight: '1' } }

export const clauses: readonly (readonly [text: string, expected: Expected])[] = [
  [
    '0.15 + 0.45 steel + 0.40 labour, cap 5 % a year, threshold 2 %',
    {
      inputs: { steel: { weight: '0.45' }, labour: { weight: '0.40' } },
      clause: {
        fixed: '0.15',
        threshold: { pct: '2', test: 'EXCEEDS', pays: 'ALL' },
        cap: { yearPct: '5', year: 'CONTRACT' },
      },
    },
  ],
  [
    `P = P0 × (0.10 + 0.55 × S/S0 + 0.35 × L/L0)
where S is the price index of hot-rolled coil and L the labour cost index.
The base month is December 2023.`,
    {
      inputs: {
        price_index_of_hot_rolled_coil: { weight: '0.55', base: '2023-12' },
        labour_cost_index: { weight: '0.35', base: '2023-12' },
      },
      clause: { fixed: '0.10' },
      description: 'S: price index of hot-rolled coil; L: labour cost index',
    },
  ],
  [
    'The price is calculated quarterly by the formula P1 = P0 * [0.20 + 0.50 (S1/S0) + 0.30 (E1/E0)].',
    { inputs: { s: { weight: '0.50' }, e: { weight: '0.30' } }, clause: { fixed: '0.20' } },
  ],
  [
    '15 % of the price is fixed, 45 % follows the steel price index and 40 % follows the labour cost index. The base period is the fourth quarter of 2023.',
    {
      inputs: {
        steel_price_index: { weight: '0.45', base: '2023-Q4' },
        labour_cost_index: { weight: '0.4', base: '2023-Q4' },
      },
      clause: { fixed: '0.15' },
    },
  ],
  [
    'The price consists of a fixed share of 20 %, a material share of 50 % and a labour share of 30 %. Adjustments below 2 % are not made.',
    {
      inputs: { material: { weight: '0.5' }, labour: { weight: '0.3' } },
      clause: { fixed: '0.2', threshold: { pct: '2', test: 'REACHES', pays: 'ALL' } },
    },
  ],
  [
    'The rent is linked to the consumer price index. It is adjusted on 1 January of each year. Increases are capped at 3 % per calendar year.',
    {
      contract: { frequency: 'ANNUAL', firstAdjustment: '2026-01-01' },
      inputs: cpi,
      clause: { cap: { yearPct: '3', year: 'CALENDAR' } },
    },
  ],
  [
    'The price follows the producer price index for basic metals. Prices are adjusted every six months. The first adjustment takes place on 1 July 2024.',
    {
      contract: { start: '2023-07-01', frequency: 'SEMIANNUAL', firstAdjustment: '2024-07-01' },
      inputs: { producer_price_index_for_basic: { weight: '1' } },
      base: '2022-12',
    },
  ],
  [
    'Weights: aluminium 60 %, energy 25 %, fixed 15 %. No adjustment is made unless the change exceeds 3 %.',
    {
      inputs: { aluminium: { weight: '0.6' }, energy: { weight: '0.25' } },
      clause: { fixed: '0.15', threshold: { pct: '3', test: 'EXCEEDS', pays: 'ALL' } },
    },
  ],
  [
    'The contract price is EUR 12.40 per piece. 100 % of the price follows the index of plastic resins. The price is adjusted only if the price has changed by more than 2.5 % since the last adjustment.',
    {
      contract: { price: { amount: '12.40', currency: 'EUR', unit: 'piece', round: { dp: '2' } } },
      inputs: { index_of_plastic_resins: { weight: '1' } },
      clause: { threshold: { pct: '2.5', test: 'EXCEEDS', pays: 'ALL' } },
    },
  ],
  [
    'This agreement starts on 1 March 2024 and ends on 28 February 2027. The price is adjusted on 1 March of each year. The price follows the consumer price index.',
    {
      contract: { start: '2024-03-01', end: '2027-02-28', frequency: 'ANNUAL', firstAdjustment: '2025-03-01' },
      inputs: cpi,
      base: '2023-12',
    },
  ],
  [
    'The price is adjusted on 1 January, 1 April, 1 July and 1 October of each year. 40 % copper, 60 % fixed. The relevant index is the value of the second month before the adjustment date.',
    {
      contract: { firstAdjustment: '2025-04-01' },
      inputs: { copper: { weight: '0.4', lag: '2 months' } },
      clause: { fixed: '0.6' },
    },
  ],
  [
    'The price follows the wage index. If the change is less than 1.5 %, no adjustment is made. In this case the full change is passed on.',
    {
      inputs: { wage_index: { weight: '1' } },
      clause: { threshold: { pct: '1.5', test: 'REACHES', pays: 'ALL' } },
    },
  ],
  [
    'The fee is indexed to the labour cost index. Adjustments are limited to ± 4 % per adjustment.',
    {
      inputs: { labour_cost_index: { weight: '1' } },
      clause: { cap: { periodPct: '4' }, floor: { periodPct: '-4' } },
    },
  ],
  [
    '0.3 fixed, 0.7 fuel, deadband 5 %, 80 % is passed on',
    {
      inputs: { fuel: { weight: '0.7' } },
      clause: { fixed: '0.3', threshold: { pct: '5', test: 'EXCEEDS', pays: 'EXCESS' }, passThrough: '0.8' },
    },
  ],
  [
    '70 % of the price follows the diesel price index, 30 % remains fixed. Only 50 % of the change is passed on. The price is rounded to three decimal places.',
    {
      inputs: { diesel_price_index: { weight: '0.7' } },
      clause: { fixed: '0.3', passThrough: '0.5', rounding: { price: { dp: '3' } } },
    },
  ],
  [
    'The price follows the paper price index. The average of the three months preceding the adjustment date counts. The base value is 118.4.',
    { inputs: { paper_price_index: { weight: '1', base: { value: '118.4' }, lag: '1 month', window: '3 months' } } },
  ],
  [
    'The price follows the consumer price index (2015 = 100). The price may not fall below the base price. Price increases shall not exceed 10 % over the term.',
    {
      inputs: cpi,
      clause: { cap: { cumulativePct: '10' }, floor: { cumulativePct: '0' } },
      description: 'consumer price index (2015 = 100)',
    },
  ],
  [
    'The price follows the gas price index. Only the part of the change that exceeds 5 % is passed on. The price may not rise by more than 8 % per year and may not fall by more than 4 % per year.',
    {
      inputs: { gas_price_index: { weight: '1' } },
      clause: {
        threshold: { pct: '5', test: 'EXCEEDS', pays: 'EXCESS' },
        cap: { yearPct: '8', year: 'CONTRACT' },
        floor: { yearPct: '-4', year: 'CONTRACT' },
      },
    },
  ],
  [
    `P = P0 × (0,10 + 0,55 × S/S0 + 0,35 × L/L0)
Hierin bedeuten:
P0 = Grundpreis 850,00 EUR je Tonne
S = Erzeugerpreisindex Stahl (Basis 2020 = 100)
L = Index der Tarifverdienste
S0 = Indexwert im Dezember 2023
L0 = Indexwert im Oktober 2023`,
    {
      contract: { price: { amount: '850.00', currency: 'EUR', unit: 'Tonne', round: { dp: '2' } } },
      inputs: {
        erzeugerpreisindex_stahl: { weight: '0.55', base: '2023-12' },
        index_der_tarifverdienste: { weight: '0.35', base: '2023-10' },
      },
      clause: { fixed: '0.10' },
      description: 'S: Erzeugerpreisindex Stahl (Basis 2020 = 100); L: Index der Tarifverdienste',
    },
  ],
  [
    'Der Preis wird zum 1. Januar eines jeden Jahres angepasst. Der Preis folgt dem Verbraucherpreisindex. Änderungen von weniger als 2 v. H. bleiben unberücksichtigt.',
    {
      contract: { frequency: 'ANNUAL', firstAdjustment: '2026-01-01' },
      inputs: { verbraucherpreisindex: { weight: '1' } },
      clause: { threshold: { pct: '2', test: 'REACHES', pays: 'ALL' } },
    },
  ],
  [
    '15 % des Preises bleiben unverändert, 45 % folgen dem Stahlpreisindex und 40 % folgen dem Lohnindex. Der Grundpreis beträgt 1.250 EUR je Tonne.',
    {
      contract: { price: { amount: '1250', currency: 'EUR', unit: 'Tonne', round: { dp: '2' } } },
      inputs: { stahlpreisindex: { weight: '0.45' }, lohnindex: { weight: '0.4' } },
      clause: { fixed: '0.15' },
    },
  ],
  [
    '0,15 + 0,45 Stahl + 0,40 Lohn, Obergrenze 5,5 % pro Jahr, Schwelle 2 %, vierteljährlich angepasst',
    {
      inputs: { stahl: { weight: '0.45' }, lohn: { weight: '0.40' } },
      clause: {
        fixed: '0.15',
        threshold: { pct: '2', test: 'EXCEEDS', pays: 'ALL' },
        cap: { yearPct: '5.5', year: 'CONTRACT' },
      },
    },
  ],
  [
    'Der Preis setzt sich zusammen aus einem Fixanteil von 20 %, einem Materialanteil von 50 % und einem Lohnanteil von 30 %. Basismonat ist Dezember 2023.',
    {
      inputs: { material: { weight: '0.5', base: '2023-12' }, lohn: { weight: '0.3', base: '2023-12' } },
      clause: { fixed: '0.2' },
    },
  ],
  [
    'Eine Anpassung erfolgt nur, wenn sich der Preis um mehr als 3 Prozent verändert. Der Preis folgt dem Index der Erzeugerpreise. Die Preise werden halbjährlich zum 1. Januar und 1. Juli angepasst.',
    {
      contract: { frequency: 'SEMIANNUAL', firstAdjustment: '2025-07-01' },
      inputs: { index_der_erzeugerpreise: { weight: '1' } },
      clause: { threshold: { pct: '3', test: 'EXCEEDS', pays: 'ALL' } },
    },
  ],
  [
    'Der Vertrag beginnt am 1. Februar 2024 und endet am 31. Januar 2027. Der Preis folgt dem Kupferpreisindex. Maßgeblich ist der Indexwert des zweiten Monats vor dem Anpassungstermin.',
    {
      contract: { start: '2024-02-01', end: '2027-01-31' },
      inputs: { kupferpreisindex: { weight: '1', lag: '2 months' } },
      base: '2023-12',
    },
  ],
  [
    'Die Vergütung folgt dem Lohnindex. Preiserhöhungen sind auf 4 Prozent pro Jahr begrenzt. Preissenkungen sind ausgeschlossen.',
    {
      inputs: { lohnindex: { weight: '1' } },
      clause: { cap: { yearPct: '4', year: 'CONTRACT' }, floor: { periodPct: '0' } },
    },
  ],
  [
    'Gewichtung: Aluminium 60 v. H., Energie 25 v. H., Fixanteil 15 v. H. Die Anpassung erfolgt jährlich, erstmals zum 01.04.2024.',
    {
      contract: { start: '2023-04-01', frequency: 'ANNUAL', firstAdjustment: '2024-04-01' },
      inputs: { aluminium: { weight: '0.6' }, energie: { weight: '0.25' } },
      clause: { fixed: '0.15' },
      base: '2022-12',
    },
  ],
  [
    'Der Preis folgt dem Holzpreisindex. Beträgt die Änderung weniger als 2,5 %, erfolgt keine Anpassung. Der Preis wird auf zwei Nachkommastellen kaufmännisch gerundet.',
    {
      inputs: { holzpreisindex: { weight: '1' } },
      clause: {
        threshold: { pct: '2.5', test: 'REACHES', pays: 'ALL' },
        rounding: { price: { dp: '2', mode: 'HALF_UP' } },
      },
    },
  ],
  [
    'Der Preis folgt dem Strompreisindex. 80 % der Änderung werden weitergegeben. Maßgeblich ist das arithmetische Mittel der letzten drei Monate vor dem Anpassungstermin.',
    {
      inputs: { strompreisindex: { weight: '1', lag: '1 month', window: '3 months' } },
      clause: { passThrough: '0.8' },
    },
  ],
  [
    'Die Laufzeit beträgt vom 01.01.2024 bis 31.12.2026. Der Preis folgt dem Papierpreisindex. Der Preis darf pro Jahr um höchstens 6 % steigen und um höchstens 3 % sinken.',
    {
      contract: { start: '2024-01-01', end: '2026-12-31' },
      inputs: { papierpreisindex: { weight: '1' } },
      clause: { cap: { yearPct: '6', year: 'CONTRACT' }, floor: { yearPct: '-3', year: 'CONTRACT' } },
      base: '2023-12',
    },
  ],
  [
    'Der Preis folgt dem Kunststoffpreisindex. Der Basiswert ist 112,3. Der Faktor wird auf vier Nachkommastellen gerundet. Der Zeitversatz beträgt einen Monat.',
    {
      inputs: { kunststoffpreisindex: { weight: '1', base: { value: '112.3' }, lag: '1 month' } },
      clause: { rounding: { factor: { dp: '4' } } },
    },
  ],
  [
    'Anteil Stahl 45 %, Anteil Lohn 40 %, Fixanteil 15 %. Wird die Schwelle überschritten, wird nur der übersteigende Teil weitergegeben. Schwelle 3 %.',
    {
      inputs: { stahl: { weight: '0.45' }, lohn: { weight: '0.4' } },
      clause: { fixed: '0.15', threshold: { pct: '3', test: 'EXCEEDS', pays: 'EXCESS' } },
    },
  ],
]

export const lookAlikes: readonly string[] = [
  'VAT of 19 % is added to all prices.',
  'Payment is due within 30 days of the invoice date.',
  'A discount of 2 % is granted for payment within 10 days.',
  'Late delivery carries a penalty of 0.2 % per day, up to 5 % of the order value.',
  'This clause replaces § 3 of the agreement of 12 May 2019.',
  'See page 12 of the annex.',
  'The supplier gives 100 % commitment to quality.',
  'Questions are answered at +49 211 555 0134.',
  'The rules of section 4.2 apply accordingly.',
  'The parties met on 3 April 2024 in Vienna.',
  'Payment is made 30 % on order, 60 % on delivery and 10 % on acceptance.',
  'The alloy consists of 70 % copper and 30 % zinc.',
  'Deliveries may differ by 5 % from the ordered quantity.',
  'Interest on late payment is 9 % above the base rate.',
  'The supplier informs the buyer four weeks before each adjustment.',
  'Either party may terminate with three months’ notice.',
  'If the index rises by more than 10 points, the parties shall negotiate.',
  'Adjustments above 10 % need the buyer’s written consent.',
  'The price is fixed until 31 December 2025.',
  'A volume bonus of 3 % is paid from 10,000 pieces a year.',
  'The index was 118.4 in 2019 and 121.7 in 2020.',
  'Increases of more than 8 % entitle the buyer to terminate.',
  'At least 95 % of the deliveries must arrive on time.',
  '100 % customer satisfaction.',
  'The price is adjusted by 3 % on 1 January 2025.',
  'No adjustment is made in 2025.',
  'Increases are capped at 5 %, except in 2026.',
  'Adjustments below 2 % are not made in the first year.',
  'The price is adjusted quarterly or annually.',
  'Adjustments may not exceed 5 % per year.',
  'The result is rounded to 2 decimals.',
  'Die Mehrwertsteuer von 19 % kommt hinzu.',
  'Zahlbar innerhalb von 30 Tagen netto, bei Zahlung innerhalb von 10 Tagen 2 % Skonto.',
  'Die Vertragsstrafe beträgt 0,2 % je Tag, höchstens jedoch 5 % des Auftragswerts.',
  'Es gilt § 313 BGB.',
  'Siehe Anlage 2, Seite 7.',
  'Der Lieferant kündigt die Anpassung vier Wochen vorher schriftlich an.',
  'Der Vertrag ersetzt die Vereinbarung vom 12. Mai 2019.',
  'Die Liefermenge darf um 5 % abweichen.',
  'Telefon 0211 555 01 34, montags bis freitags von 9 bis 17 Uhr.',
  'Ändert sich der Index um mehr als 10 Punkte, verhandeln die Parteien neu.',
  'Der Mindestabnahmewert beträgt 80 % der vereinbarten Menge.',
  'Untergrenze 5 %.',
]
