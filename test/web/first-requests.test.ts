import { describe, expect, test } from 'vitest'
import { firstRequests } from '../../web/first-requests.ts'

const from = (address: string) => {
  const { pathname, search } = new URL(address, 'http://localhost')
  return firstRequests({ pathname, search })?.requests ?? []
}
const session = ['/session', '/w/demo/sign-offs/count']

describe('what is asked for before the first page is there', () => {
  test('is the session, the number beside the sign-offs and the data of the page', () => {
    expect(from('/w/demo')).toEqual(['/session', '/w/demo/overview', '/w/demo/sign-offs/count'])
    expect(from('/w/demo/')).toEqual(from('/w/demo'))
    expect(from('/w/demo/agreements')).toContain('/w/demo/agreements')
    expect(from('/w/demo/sign-offs')).toContain('/w/demo/sign-offs')
  })

  test('is nothing that the page would ask for in another way', () => {
    expect(from('/w/demo/agreements?sort=name')).toEqual(session)
    expect(from('/w/demo/sign-offs?due=2026-04')).toEqual(session)
    expect(from('/w/demo/settings')).toEqual(session)
    expect(from('/w/demo/constructor')).toEqual(session)
    for (const elsewhere of ['/', '/sign-in', '/verify']) expect(from(elsewhere)).toEqual([])
  })
})
