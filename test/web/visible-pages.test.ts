import { describe, expect, test } from 'vitest'
import { visibleOption } from '../../web/components/chart/visible-option.ts'
import { visibleProps } from '../../web/jsx/jsx-runtime.ts'

describe('an element of a page', () => {
  test('shows every sign of a text that is inside of it or told about it', () => {
    const name = 'Acme\u202e\u200b'
    expect(visibleProps({ children: name, title: name, 'aria-label': name, value: name })).toEqual({
      children: 'Acme\\u{202e}\\u{200b}',
      title: 'Acme\\u{202e}\\u{200b}',
      'aria-label': 'Acme\\u{202e}\\u{200b}',
      // What is typed and sent stays as it is.
      value: name,
    })
    expect(visibleProps({ children: ['of ', name, 1, null] })).toEqual({
      children: ['of ', 'Acme\\u{202e}\\u{200b}', 1, null],
    })
  })

  test('offers choices by labels in which every sign is seen, and keeps their values', () => {
    const name = 'Acme\u202e'
    const shown = 'Acme\\u{202e}'
    const choices = [
      name,
      { value: name, label: name },
      { group: name, items: [name, { value: 'b', label: 'B' }] },
      'C',
    ]
    expect(visibleProps({ data: choices })).toEqual({
      data: [
        { value: name, label: shown },
        { value: name, label: shown },
        {
          group: shown,
          items: [
            { value: name, label: shown },
            { value: 'b', label: 'B' },
          ],
        },
        'C',
      ],
    })
    const plain = { data: [{ value: name, label: 'Acme' }, 'C', { group: 'D', items: ['E'] }] }
    expect(visibleProps(plain)).toBe(plain)
  })

  test('is as it was where nothing is hidden in it', () => {
    const props = { children: ['a\n\tb', 'c\u202f%'], title: 'd' }
    expect(visibleProps(props)).toBe(props)
  })
})

describe('a chart', () => {
  test('draws names and labels in which every sign is seen, and leaves its points', () => {
    const [name, shown] = ['Acme\u202e', 'Acme\\u{202e}']
    const points = [[1, 2]]
    const element = { textContent: name }
    const drawn = visibleOption({
      xAxis: { data: [name], axisLabel: { formatter: (at: number) => `${name} ${at}` } },
      tooltip: { formatter: () => element },
      series: [{ name, data: points, endLabel: { show: true, formatter: name } }],
    })
    expect(drawn).toMatchObject({
      xAxis: { data: [shown] },
      series: [{ name: shown, data: points, endLabel: { show: true, formatter: shown } }],
    })
    expect(drawn.series[0]!.data).toBe(points)
    expect(drawn.xAxis.axisLabel.formatter(7)).toBe(`${shown} 7`)
    expect(drawn.tooltip.formatter()).toBe(element)
  })
})
