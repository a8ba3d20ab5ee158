// The text and the values of a statement, from a template and what is between its parts: a value becomes a parameter, a statement
// that was not sent becomes a part of the text, and so do names, rows to insert and columns to set. No value ever gets into the
// text.

/** Names of tables or columns. */
export class Names {
  readonly #names: readonly string[]

  constructor(names: readonly string[]) {
    this.#names = names
  }

  get text(): string {
    return this.#names.map(quoteName).join(', ')
  }
}

type Columns = Readonly<Record<string, unknown>>

/** `insert into t ${…}`: the names of the columns and the values of the rows. All rows have the columns of the first. */
export class Rows {
  readonly rows: readonly Columns[]

  constructor(rows: readonly Columns[]) {
    this.rows = rows
  }
}

/** Columns to set: `update t set ${…}`. */
export class Assignments {
  readonly columns: Columns

  constructor(columns: Columns) {
    this.columns = columns
  }
}

/** A value that is sent as JSON, whatever it is. */
export class JsonValue {
  readonly text: string

  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

export interface Template {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** A value in the form that the database gets. */
type Parameter = string | Buffer | null

export interface StatementText {
  readonly text: string
  readonly parameters: readonly Parameter[]
  /** The server prepares it once for each connection; null where its text depends on the number of rows. */
  readonly name: string | null
}

/** Finds the template of a value that is itself a statement. */
type TemplateOf = (value: unknown) => Template | null

const mostParameters = 65_535

export function formatStatement(template: Template, templateOf: TemplateOf): StatementText {
  const writer = new Writer(templateOf)
  const text = writer.write(template)
  if (writer.parameters.length > mostParameters)
    throw new Error(`a statement has at most ${mostParameters} parameters, got ${writer.parameters.length}`)
  return { text, parameters: writer.parameters, name: writer.isRepeated ? nameOf(text) : null }
}

class Writer {
  readonly parameters: Parameter[] = []
  isRepeated = true
  readonly #templateOf: TemplateOf

  constructor(templateOf: TemplateOf) {
    this.#templateOf = templateOf
  }

  write({ strings, values }: Template): string {
    let text = strings[0]!
    for (let i = 0; i < values.length; i++) text += this.#part(values[i]) + strings[i + 1]!
    return text
  }

  #part(value: unknown): string {
    // Most values are these.
    if (typeof value === 'string' || value === null) return this.#parameter(value)
    if (value instanceof Names) return value.text
    if (value instanceof Rows) return this.#rows(value.rows)
    if (value instanceof Assignments) return this.#assignments(value.columns)
    const template = this.#templateOf(value)
    return template === null ? this.#value(value) : this.write(template)
  }

  #rows(rows: readonly Columns[]): string {
    this.isRepeated = false
    const columns = Object.keys(rows[0]!)
    const tuples = rows.map(row => `(${columns.map(column => this.#value(row[column])).join(',')})`)
    return `(${columns.map(quoteName).join(', ')}) values ${tuples.join(',')}`
  }

  #assignments(columns: Columns): string {
    const each = Object.entries(columns).map(([column, value]) => `${quoteName(column)} = ${this.#value(value)}`)
    return each.join(', ')
  }

  // The kinds that the server could not tell from text say what they are, so that they are the same wherever they are used.
  #value(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return this.#parameter(value)
      case 'number':
        return this.#parameter(String(value))
      case 'bigint':
        return `${this.#parameter(String(value))}::bigint`
      case 'boolean':
        return `${this.#parameter(String(value))}::boolean`
      case 'object':
        if (value === null) return this.#parameter(null)
        if (value instanceof JsonValue) return `${this.#parameter(value.text)}::jsonb`
        if (value instanceof Uint8Array) return `${this.#parameter(asBuffer(value))}::bytea`
        if (Array.isArray(value)) return this.#parameter(formatArray(value))
    }
    throw new Error(`the database has no form for a value of this kind: ${typeof value}`)
  }

  #parameter(value: Parameter): string {
    return `$${this.parameters.push(value)}`
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Array with every element in quotes, so that none can be taken for another or for null. */
function formatArray(values: readonly unknown[]): string {
  const elements = values.map(value => {
    if (value === undefined) throw new Error('an array for the database has an undefined element')
    if (value === null) return 'null'
    if (Array.isArray(value)) return formatArray(value)
    const text = value instanceof Uint8Array ? `\\x${asBuffer(value).toString('hex')}` : String(value)
    return `"${text.replace(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

/** `a.b` is the `b` of `a`. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`
}

const names = new Map<string, string>()

/** Name of a text, the same on every connection. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `s${names.size + 1}`
    names.set(text, name)
  }
  return name
}
