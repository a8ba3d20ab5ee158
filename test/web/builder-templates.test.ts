// Every template is a document that can be saved.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { templateOf, templates } from '../../src/core/formula/many/templates.ts'

describe('templates', () => {
  test.each(templates)('$id is in order as it stands, in any year', ({ write, title }) => {
    for (const year of [2000, 2026, 2100]) {
      const { formula, problems } = checkDocument(write(year))
      expect(problems).toEqual([])
      expect(formula!.status).toBe('DRAFT')
      expect(formula!.name).not.toBe('')
    }
    expect(title).not.toBe('')
  })

  test.each(templates)('$id does not drift, and asks who signs for the supplier', ({ write }) => {
    const { formula } = checkDocument(write(2026))
    const { clause, parties } = formula!
    expect(clause?.controls.flatMap(({ advise }) => advise?.(clause) ?? []) ?? []).toEqual([])
    expect(parties).toEqual({ buyer: null, supplier: [] })
  })

  test('show a cap of the year', () => {
    const limits = templates.map(({ write }) => checkDocument(write(2026)).formula!.clause?.year.cap?.year)
    expect(limits).toContain('CONTRACT')
  })

  test('have unique ids and slugs', () => {
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
    expect(new Set(templates.map(({ write }) => checkDocument(write(2026)).formula!.slug)).size).toBe(templates.length)
    expect(templateOf('fidic')!.title).toContain('FIDIC')
    expect(templateOf('unheard-of')).toBeNull()
    expect(templateOf(undefined)).toBeNull()
  })
})
