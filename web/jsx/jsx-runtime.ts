// Maker of the pages' elements: React's own, which gets texts with every sign in them made visible, whoever wrote a name. Stored,
// sent and typed texts stay as they are.
import * as react from 'react/jsx-runtime'
import { visibleLines } from '../../src/core/text/foreign-text.ts'

export type { JSX } from 'react/jsx-runtime'
export const { Fragment } = react

type Make = typeof react.jsx
type Props = { readonly [name: string]: unknown }

/** Properties that people read, besides an element's contents. */
const read = ['title', 'alt', 'placeholder', 'label', 'description', 'aria-label', 'aria-description'] as const

export const jsx: Make = (type, props, key) => react.jsx(type, visibleProps(props as Props), key)
export const jsxs: Make = (type, props, key) => react.jsxs(type, visibleProps(props as Props), key)

export function visibleProps(props: Props): Props {
  let visible = props
  for (const name of ['children', ...read]) {
    const [before, after] = [props[name], visibleNode(props[name])]
    if (after !== before) visible = { ...visible, [name]: after }
  }
  const choices = visibleChoices(props.data)
  return choices === props.data ? visible : { ...visible, data: choices }
}

/** Choices of a field: texts that are values as well, values with labels, or groups of both. */
function visibleChoices(data: unknown): unknown {
  if (!Array.isArray(data)) return data
  return data.some(each => visibleChoice(each) !== each) ? data.map(visibleChoice) : data
}

function visibleChoice(choice: unknown): unknown {
  if (typeof choice === 'string') return visibleLines(choice) === choice ? choice : labelled(choice, choice)
  if (typeof choice !== 'object' || choice === null) return choice
  const { label, group, items } = choice as Props
  if (typeof label === 'string') return visibleLines(label) === label ? choice : labelled(choice, label)
  if (typeof group !== 'string') return choice
  const [title, shown] = [visibleLines(group), visibleChoices(items)]
  return title === group && shown === items ? choice : { ...choice, group: title, items: shown }
}

function labelled(choice: string | object, label: string): Props {
  return { ...(typeof choice === 'string' ? { value: choice } : choice), label: visibleLines(label) }
}

function visibleNode(node: unknown): unknown {
  if (typeof node === 'string') return visibleLines(node)
  if (!Array.isArray(node)) return node
  return node.some(each => visibleNode(each) !== each) ? node.map(visibleNode) : node
}
