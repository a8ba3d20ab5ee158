// Compares figures by value without floats: equal numbers have the same canonical text.

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/

/** Digits without leading and trailing zeros, and a power of ten; `null` if it is not a number of at most sixty digits. */
export function canonical(text: string): string | null {
  const match = pattern.exec(text.trim())
  if (match === null) return null
  const [, sign, whole = '', part = '', exponent = '0'] = match
  const digits = `${whole}${part}`
  if (digits === '' || digits.length > 60) return null
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '')
  if (significant === '') return '0'
  const zeros = digits.length - digits.replace(/0+$/, '').length
  const power = Number.parseInt(exponent, 10) - part.length + zeros
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}
