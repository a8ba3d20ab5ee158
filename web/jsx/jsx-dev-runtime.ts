// The runtime of jsx-runtime.ts, for the pages of `npm run web`.
import * as react from 'react/jsx-dev-runtime'
import { visibleProps } from './jsx-runtime.ts'

export type { JSX } from 'react/jsx-dev-runtime'
export const { Fragment } = react

export const jsxDEV: typeof react.jsxDEV = (type, props, ...rest) =>
  react.jsxDEV(type, visibleProps(props as { readonly [name: string]: unknown }), ...rest)
