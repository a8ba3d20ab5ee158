// A code or name without spaces that may wrap only between its parts.
import { Fragment } from 'react'

export function Breaking({ text }: { readonly text: string }) {
  return text.split(/(?<=[_/.])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
