import { expect, test } from 'vitest'
import { choose, dataOffers, named, prefersXml, structureOffers } from './negotiation.ts'

test('JSON is answered where nothing is said, and otherwise what is preferred', () => {
  const told: Readonly<Record<string, string>> = {
    '': 'json',
    '*/*': 'json',
    'text/*': 'csv',
    'text/csv': 'csv',
    'application/vnd.sdmx.data+csv': 'csv',
    'application/vnd.sdmx.data+csv; version=2.0.0; labels=id': 'csv',
    'application/vnd.sdmx.data+xml;version=3.0.0+': 'xml',
    'application/vnd.sdmx.data+xml': 'xml',
    'application/vnd.sdmx.structurespecificdata+xml;version=2.1': 'xml-2.1',
    'application/xml': 'xml-2.1',
    'application/xml, application/vnd.sdmx.data+xml;version=3.0.0;q=0.9': 'xml-2.1',
    'application/json;q=0.4, text/csv;q=0.5': 'csv',
    'application/json;q=0, */*': 'json',
    'image/png, */*;q=0.1': 'json',
  }
  for (const [accept, format] of Object.entries(told))
    expect([accept, choose(accept, dataOffers).format]).toEqual([accept, format])
})

test('editions and options that are not there are refused', () => {
  for (const accept of [
    'image/png',
    'application/vnd.sdmx.data+json;version=1.0.0',
    'application/vnd.sdmx.data+csv;version=1.0.0',
    'application/vnd.sdmx.data+csv;labels=both',
    'application/vnd.sdmx.data+csv;keys=obs',
    'text/csv;q=0',
  ])
    expect(() => choose(accept, dataOffers)).toThrow('nothing that Accept names is offered here')
  expect(() => named('csv', structureOffers)).toThrow('csv is not a format of this address')
})

test('structures of 2.1 and 3.0 are told apart by the version', () => {
  expect(choose('application/vnd.sdmx.structure+xml;version=2.1', structureOffers).format).toBe('xml-2.1')
  expect(choose('application/vnd.sdmx.structure+xml;version=3.0.0', structureOffers).format).toBe('xml')
  expect([prefersXml('application/xml'), prefersXml('text/csv'), prefersXml('image/png')]).toEqual([true, false, false])
})
