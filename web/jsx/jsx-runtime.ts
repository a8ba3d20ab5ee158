// What the elements of pages are made with: React's own, to which no text is given as it came. Whoever wrote a name, on a page it shows
// every sign that is in it; what is kept, sent and typed stays as it is.
import * as react from 'react/jsx-runtime'
import { visibleLines } from '../../src/core/text/foreign-text.ts'

export type { JSX } from 'react/jsx-runtime'
export const { Fragment } = react

type Make = typeof react.jsx
type Props = { readonly [name: string]: unknown }

/** Besides what is inside of an element. */
const read = ['title', 'alt', 'placeholder', 'label', 'description', 'aria-label', 'aria-description'] as const

export const jsx: Make = (type, props, key) => react.jsx(type, visibleProps(props as Props), key)
export const jsxs: Make = (type, props, key) => react.jsxs(type, visibleProps(props as Props), key)

export function visibleProps(props: Props): Props {
  let visible = props
  for (const name of ['children', ...read]) {
    const [before, after] = [props[name], visibleNode(props[name])]
    if (after !== before) visible = { ...visible, [name]: after }
  }
  return visible
}

function visibleNode(node: unknown): unknown {
  if (typeof node === 'string') return visibleLines(node)
  if (!Array.isArray(node)) return node
  return node.some(each => visibleNode(each) !== each) ? node.map(visibleNode) : node
}
