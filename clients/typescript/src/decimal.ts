// Numbers as text. A price, a percentage or an index value is never a float on its way: what was published and signed has its
// digits. The brand keeps `price * 2` from compiling; hand the text to a decimal type of your choice.

declare const decimalBrand: unique symbol

/** A decimal number in text, such as `106.71` or `-0.5`. */
export type Decimal = string & { readonly [decimalBrand]: true }

/** A day, as `YYYY-MM-DD`. */
export type Day = string

/** An instant with its zone, such as `2024-08-13T12:41:07.318402Z`. */
export type Instant = string

/** Text as a decimal, for what is sent; throws if it is none. */
export function decimal(text: string): Decimal {
  if (!/^[+-]?\d+(\.\d+)?$/.test(text))
    throw new TypeError(`a decimal such as 12.40 is expected, got ${JSON.stringify(text)}`)
  return text as Decimal
}
