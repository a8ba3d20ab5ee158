import { expect, test } from 'vitest'
import { controlWords } from '../../core/formula/controls/controls.ts'
import { deWords } from './words-de.ts'
import { enWords } from './words-en.ts'
import { frWords } from './words-fr.ts'

test('every language names every control', () => {
  const names = Object.keys(controlWords).sort()
  for (const { controls } of [deWords, enWords, frWords]) expect(Object.keys(controls).sort()).toEqual(names)
  for (const name of names) expect([deWords.controls[name], frWords.controls[name]]).not.toContain(controlWords[name])
})
