// Terms that change no number: who may change the formula, and what takes the place of a series when it ends.
import { expect, test } from 'vitest'
import { calculatingPart } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { seriesOf } from '../../src/core/formula/check/check-inputs.ts'
import { successorsOf } from '../../src/core/formula/check/check-successor.ts'
import { contractText, inputText } from '../support/agreements/document-text.ts'
import { evaluateText, formulaOf } from '../support/agreements/evaluate-text.ts'

const figures = 'series,period,value\nCUSTOM/steel,2023-12,100\nCUSTOM/steel,2024-04,104\n'
const joined = '{ series: CUSTOM/newer, method: OVERLAP, window: 24, automatic: true }'

test('one side may change the terms unless both are asked for, and asking for both makes a new version', () => {
  expect(formulaOf(contractText({})).contract.change).toBe('ONE')
  expect(formulaOf(contractText({ change: 'BOTH' })).contract.change).toBe('BOTH')
  const kept = (text: string) => calculatingPart(checkDocument(text).document)
  expect(kept(contractText({ change: 'BOTH' }))).not.toEqual(kept(contractText({})))
})

test('a successor is kept as it was agreed, with what is usual where little is written', () => {
  const agreed = formulaOf(inputText({ successor: joined })).inputs[0]!.successor
  expect(agreed).toEqual({ series: 'CUSTOM/newer', method: 'OVERLAP', window: 24, automatic: true })
  const short = formulaOf(inputText({ successor: '{ series: CUSTOM/newer, method: SAME_LEVEL }' })).inputs[0]!.successor
  expect(short).toEqual({ series: 'CUSTOM/newer', method: 'SAME_LEVEL', window: null, automatic: false })
  expect(formulaOf(inputText({})).inputs[0]!.successor).toBeNull()
})

test('neither of them is read for a number', () => {
  const plain = evaluateText(contractText({ end: '2024-04-30' }), figures)
  const text = inputText({ successor: joined }).replace('frequency:', 'end: 2024-04-30, change: BOTH, frequency:')
  expect(evaluateText(text, figures)).toEqual(plain)
  const { inputs } = formulaOf(text)
  expect(seriesOf(inputs).map(({ series }) => series)).toEqual(['CUSTOM/steel'])
  expect(successorsOf(inputs)).toEqual([{ path: 'inputs.steel.successor.series', series: 'CUSTOM/newer' }])
})

test('no series follows itself', () => {
  const { problems } = checkDocument(inputText({ successor: '{ series: CUSTOM/steel, method: POINT }' }))
  expect(problems).toEqual([
    { path: 'inputs.steel.successor.series', message: expect.stringContaining('cannot follow itself') },
  ])
})
