// Figures compared by what they are worth, without a float: the same number has the same canonical text.

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/

/** Digits without zeros around them and a power of ten; `null` for what is no figure of at most sixty digits. */
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
