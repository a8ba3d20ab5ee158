// The keys of formula documents, as plain data: every key with its place, a name and a sentence for people, and the kind of its
// value. The checks read documents by these tables; forms, completion and the document's schema are generated from them.

/** A choice: its value and its meaning. */
interface Choice<T extends string = string> {
  readonly value: T
  readonly words: string
}

export type ValueKind =
  | {
      readonly kind: 'day' | 'days' | 'series' | 'span' | 'window' | 'base' | 'missing' | 'rounding' | 'truth'
    }
  /** A text; `offers`: texts worth offering. */
  | { readonly kind: 'text'; readonly offers?: readonly Choice[] }
  /** A whole number, between two others. */
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  /** A decimal; `param` says that the name of a param may be used instead. */
  | { readonly kind: 'number'; readonly unit: NumberUnit; readonly param: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  /** Keys of its own, a list of such mappings, a mapping by names, or a list of texts. */
  | { readonly kind: 'mapping' | 'list' | 'names' | 'texts' }

type NumberUnit = 'fraction' | 'percent' | 'points' | 'money' | 'plain'

export interface KeySpec {
  /** The path from the root, with `*` for any name or place in a list: `inputs.*.lag`. */
  readonly path: string
  readonly label: string
  readonly help: string
  readonly value: ValueKind
  readonly required?: true
  /** The default, as it would be written. */
  readonly otherwise?: string
}

export interface ChoiceKey<T extends string> extends KeySpec {
  readonly value: { readonly kind: 'choice'; readonly choices: readonly Choice<T>[] }
  readonly otherwise?: T
}

/** A key whose values are choices, each with its text: `{ EXCEEDS: 'more than the threshold', … }`. */
export function choiceKey<T extends string>(
  path: string,
  label: string,
  help: string,
  choices: Readonly<Record<T, string>>,
  otherwise?: NoInfer<T>,
): ChoiceKey<T> {
  const list = choicesIn(choices)
  const spec = { path, label, help, value: { kind: 'choice', choices: list } } as const
  return otherwise === undefined ? { ...spec, required: true } : { ...spec, otherwise }
}

export function choicesIn<T extends string>(words: Readonly<Record<T, string>>): readonly Choice<T>[] {
  return (Object.entries(words) as [T, string][]).map(([value, told]) => ({ value, words: told }))
}

/** A key that is required only if another key is present: the check decides. */
export function choiceBeside<T extends string>(
  path: string,
  label: string,
  help: string,
  choices: Readonly<Record<T, string>>,
): ChoiceKey<T> {
  const { required: _required, ...spec } = choiceKey(path, label, help, choices)
  return spec
}

export function choicesOf<T extends string>({ value }: ChoiceKey<T>): readonly T[] {
  return value.choices.map(choice => choice.value)
}

/** The names of the keys directly under a place: `clause.cap`, `inputs.*`. */
export function namesAt(place: string, specs: readonly KeySpec[]): readonly string[] {
  const start = place === '' ? '' : `${place}.`
  return specs
    .filter(({ path }) => path.startsWith(start) && !path.slice(start.length).includes('.'))
    .map(({ path }) => path.slice(start.length))
}

export function number(unit: NumberUnit, param = false): ValueKind {
  return { kind: 'number', unit, param }
}
