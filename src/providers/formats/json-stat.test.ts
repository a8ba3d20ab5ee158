import { describe, expect, test } from 'vitest'
import { isJsonStat, readJsonStat } from './json-stat.ts'
import { parseJson } from './lossless.ts'

function read(text: string) {
  const cube = parseJson(text)
  if (!isJsonStat(cube)) throw new Error('no cube')
  const seen: string[] = []
  const problems = readJsonStat(cube, cursor => {
    const flag = cursor.find('OBS_FLAG')
    const words = [cursor.flow?.id, cursor.key, cursor.frequency, cursor.period, cursor.value, flag?.code, flag?.label]
    seen.push(words.map(word => word ?? '').join(' '))
  })
  return { seen, problems: problems.map(problem => problem.message) }
}

const dimension = `{
  "freq": {"category": {"index": {"M": 0}}},
  "unit": {"category": {"label": {"I21": "Index, 2021=100"}}},
  "geo": {"category": {"index": {"IE": 1, "AT": 0}}},
  "time": {"category": {"index": ["2023-01", "2023-02"]}}}`
const head = '"id": ["freq","unit","geo","time"], "size": [1,1,2,2]'
const extension = '"extension": {"id": "STS_X", "status": {"label": {"|C": "|confidential", "p": "provisional"}}}'

describe('JSON-stat', () => {
  test('keeps digits, sorts categories by number and leaves out empty cells', () => {
    const { seen, problems } = read(
      `{${head}, "dimension": ${dimension}, ${extension}, "value": {"3": 99.10, "0": 1.0}, "status": {"3": "p", "2": "|C"}}`,
    )
    expect(problems).toEqual([])
    expect(seen).toEqual([
      'STS_X M.I21.AT M 2023-01 1.0  ',
      'STS_X M.I21.IE M 2023-01  |C confidential',
      'STS_X M.I21.IE M 2023-02 99.10 p provisional',
    ])
  })

  test('reads values and statuses written as lists', () => {
    const { seen } = read(
      `{${head}, "dimension": ${dimension}, "value": [1, null, null, 2.50], "status": [null, ":", null, null]}`,
    )
    expect(seen).toEqual([' M.I21.AT M 2023-01 1  ', ' M.I21.AT M 2023-02  : ', ' M.I21.IE M 2023-02 2.50  '])
  })

  test('finds the unit and its label, and the time dimension by its role', () => {
    const cube = parseJson(
      '{"id":["unit","when"],"size":[1,1],"role":{"time":["when"]},"label":"Set","dimension":{"unit":{"category":{"index":{"I":0},"label":{"I":"Index"}}},"when":{"category":{"index":{"2024M01":0}}}},"value":[7]}',
    )
    if (!isJsonStat(cube)) throw new Error('no cube')
    readJsonStat(cube, cursor => {
      expect(cursor.find('unit')).toEqual({ code: 'I', label: 'Index' })
      expect(cursor.find('TITLE')).toEqual({ code: 'Set', label: null })
      expect(cursor.find('nothing')).toBeNull()
      expect(cursor.period).toBe('2024M01')
      expect(cursor.frequency).toBeNull()
    })
  })

  test('says what does not fit', () => {
    expect(read(`{${head}, "dimension": ${dimension}, "value": {"4": 1, "9": 2}}`).problems).toEqual([
      '2 cells lie outside the JSON-stat cube',
    ])
    expect(read('{"id":["a"],"size":[],"dimension":{},"value":[]}').problems).toEqual([
      'the sizes of the JSON-stat cube do not fit its dimensions',
    ])
    expect(read('{"id":["a"],"size":[1],"dimension":{},"value":[]}').problems).toEqual([
      'the JSON-stat cube has no time dimension',
    ])
    expect(isJsonStat(parseJson('{"id":[],"size":[]}'))).toBe(false)
  })
})
