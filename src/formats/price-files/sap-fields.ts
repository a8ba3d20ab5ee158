// The fields of a condition IDoc that may be set: the keys of a condition record (segment E1KOMG), and the fields of the
// control record (EDI_DC40) that name sender and receiver.

/** Keys of purchasing and of sales. A system may have fields of its own, which begin with ZZ or YY. */
const keyFields: ReadonlySet<string> = new Set(
  [
    'AKTNR ALAND ATTYP AUART_SD AUGRU BEMOT BONUS BRSCH BSART BUKRS BWTAR BZIRK CHARG CITYC COUNC EBELN EBELP EKGRP EKORG',
    'ESOKZ EVRTN EVRTP FKART GEBIE HERKL HIENR HIENR01 HIENR02 HIENR03 HIENR04 HIENR05 HIENR06 HIENR07 HIENR08 HIENR09',
    'HIENR10 HIENR11 HIENR12 HIENR13 HIENR14 HIENR15 INCO1 INCO2 INFNR KDGRP KDKGR KNRZE KNUMA KOKRS KONDA KONDM KPOSN',
    'KTGRD KTGRM KTOKK KUNAG KUNNR KUNRE KUNWE KVGR1 KVGR2 KVGR3 KVGR4 KVGR5 KDKG1 KDKG2 KDKG3 KDKG4 KDKG5 LAND1 LGORT',
    'LIFNR LIFRE LLIEF LTSNR LZONE MATKL MATNR MFRNR MFRPN MTART MVGR1 MVGR2 MVGR3 MVGR4 MVGR5 MWSKZ NRKRS PLTYP PMATN',
    'POSNR PRODH PRODH1 PRODH2 PRODH3 PROVG PSPNR PSTYP PSTYV REGIO SATNR SPART STAWN STEUC TAXK1 TAXK2 TAXK3 TAXK4 TAXK5',
    'TAXK6 TAXK7 TAXK8 TAXK9 TAXM1 TAXM2 TAXM3 TAXM4 TAXM5 TAXM6 TAXM7 TAXM8 TAXM9 TXJCD UPMAT VARCOND VBELN VKBUR VKGRP',
    'VKORG VRKME VSBED VSTEL VTWEG WAERK WAERS WERKS WKREG WKCOU WKCTY ZTERM',
  ]
    .join(' ')
    .split(' '),
)

export function isKeyField(name: string): boolean {
  return keyFields.has(name) || /^(?:ZZ|YY)[A-Z0-9_]+$/.test(name)
}

/** Sender and receiver: without them SAP refuses an IDoc, unless a middleware adds them. */
const partners: readonly string[] = ['SNDPRN', 'RCVPRN']

/** The fields that the control record of a file lacks. */
export function missingPartners(format: string, set: ReadonlyMap<string, string>): readonly string[] {
  return format === 'sap-idoc' ? partners.filter(name => !set.has(name)) : []
}

/** A sentence about missing partners; null if none is missing. */
export function formatMissingPartners(missing: readonly string[]): string | null {
  if (missing.length === 0) return null
  const names = { SNDPRN: 'no sender (SNDPRN)', RCVPRN: 'no receiver (RCVPRN)' }
  const told = missing.map(name => names[name as keyof typeof names]).join(' and ')
  return `the control record (EDI_DC40) names ${told}: SAP refuses the IDoc unless a middleware adds them`
}

/** The fields of the control record that a sender chooses, in their order, each with the characters that fit. */
export const controlFields: ReadonlyMap<string, number> = new Map([
  ['MANDT', 3],
  ['DOCNUM', 16],
  ['DOCREL', 4],
  ['EXPRSS', 1],
  ['TEST', 1],
  ['CIMTYP', 30],
  ['MESCOD', 3],
  ['MESFCT', 3],
  ['STD', 1],
  ['STDVRS', 6],
  ['STDMES', 6],
  ['SNDPOR', 10],
  ['SNDPRT', 2],
  ['SNDPFC', 2],
  ['SNDPRN', 10],
  ['SNDSAD', 21],
  ['SNDLAD', 70],
  ['RCVPOR', 10],
  ['RCVPRT', 2],
  ['RCVPFC', 2],
  ['RCVPRN', 10],
  ['RCVSAD', 21],
  ['RCVLAD', 70],
  ['CREDAT', 8],
  ['CRETIM', 6],
  ['REFINT', 14],
  ['REFGRP', 14],
  ['REFMES', 14],
  ['ARCKEY', 70],
  ['SERIAL', 20],
])

/** All fields of a record, in SAP's order. */
export const controlOrder: readonly string[] = [
  'TABNAM',
  'MANDT',
  'DOCNUM',
  'DOCREL',
  'DIRECT',
  'EXPRSS',
  'TEST',
  'IDOCTYP',
  'CIMTYP',
  'MESTYP',
  'MESCOD',
  'MESFCT',
  'STD',
  'STDVRS',
  'STDMES',
  'SNDPOR',
  'SNDPRT',
  'SNDPFC',
  'SNDPRN',
  'SNDSAD',
  'SNDLAD',
  'RCVPOR',
  'RCVPRT',
  'RCVPFC',
  'RCVPRN',
  'RCVSAD',
  'RCVLAD',
  'CREDAT',
  'CRETIM',
  'REFINT',
  'REFGRP',
  'REFMES',
  'ARCKEY',
  'SERIAL',
]

export function formatFields(own: readonly string[], hasControl: boolean): string {
  const control = hasControl ? `; of the control record ${[...controlFields.keys()].join(', ')}` : ''
  return `${own.join(', ')}; as keys ${[...keyFields].sort().join(', ')}, and your own that begin with ZZ or YY${control}`
}
