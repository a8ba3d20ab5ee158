// The replacement of an erased person. An address is replaced wherever it stands by itself, and so is a full name; a name of
// one word, such as `sam`, only where it is written down as that person's name: elsewhere it is part of other words.

const erasedForm = /^erased-[1-9]\d*$/

export function isErased(written: string): boolean {
  return erasedForm.test(written)
}

export interface Erased {
  /** The address in lower case. */
  readonly email: string
  /** Every name that the person was given. */
  readonly names: readonly string[]
  /** `erased-3`. */
  readonly instead: string
}

/** The terms to find in any text: the address, and names of two words or more. */
export function termsOf({ email, names }: Erased): readonly string[] {
  return [email, ...names.filter(isFullName)]
}

function isFullName(name: string): boolean {
  return /\S\s+\S/.test(name) && name.length >= 5
}

export class Eraser {
  readonly #erased: Erased
  readonly #names: ReadonlySet<string>
  readonly #forms: readonly RegExp[]

  constructor(erased: Erased) {
    this.#erased = erased
    this.#names = new Set(erased.names)
    this.#forms = [
      // An address does not count as the end or the beginning of a longer one.
      new RegExp(`(?<![\\p{L}\\p{N}._%+-])${escaped(erased.email)}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, 'giu'),
      ...erased.names
        .filter(isFullName)
        .map(name => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'giu')),
    ]
  }

  text(text: string): string {
    return this.#forms.reduce((written, form) => written.replace(form, this.#erased.instead), text)
  }

  /** JSON text; everything but texts stays byte for byte. With `isTheirs`, a key `name` holds a name of theirs too. */
  json(json: string, key: string, isTheirs: boolean): string {
    let last = key
    return json.replace(/("(?:[^"\\]|\\.)*")(\s*:)?/g, (whole, quoted: string, colon: string | undefined) => {
      const value = JSON.parse(quoted) as string
      if (colon !== undefined) {
        last = value
        const key = this.text(value)
        return key === value ? whole : `${JSON.stringify(key)}${colon}`
      }
      const erased = isTheirs && last === 'name' && this.#names.has(value) ? this.#erased.instead : this.text(value)
      return erased === value ? whole : JSON.stringify(erased)
    })
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
