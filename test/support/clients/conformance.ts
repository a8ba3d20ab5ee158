// Compares answers with the description: is the status listed, does the body have the described shape, is every required
// header present and well-formed. It reports what does not conform, and decides nothing.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema, OpenApiDocument } from '../../../src/http/api/description.ts'
import type { Reply } from './http-client.ts'

interface DescribedResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: JsonSchema }>>
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}

export class Conformance {
  readonly #document: OpenApiDocument
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    // Formats are not checked: where the form of a text matters, the schema has a pattern.
    this.#ajv = new Ajv2020({
      allErrors: true,
      strict: true,
      strictTypes: 'log',
      validateFormats: false,
      logger: false,
    })
    this.#ajv.addSchema({ $id: 'document', $defs: inDefinitions(document.components.schemas) })
  }

  /** What a pointer of the document leads to. */
  resolve<T>(value: T | { readonly $ref: string }): T {
    const reference = (value as { readonly $ref?: string }).$ref
    if (reference === undefined) return value as T
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], this.#document)
    if (found === undefined) throw new Error(`${reference} leads nowhere`)
    return found as T
  }

  /** What is wrong with a value, one line each. */
  problemsOf(schema: JsonSchema, value: unknown): string[] {
    const validate = this.#validator(schema)
    if (validate(value)) return []
    return validate.errors!.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  }

  /** `path` as the document writes it: `/series/{seriesId}/values`. */
  problemsOfReply(path: string, { status, headers, text }: Reply): string[] {
    const { responses } = Object.values(this.#document.paths[path]!)[0]!
    const described = responses[status] ?? (status >= 500 ? undefined : responses.default)
    if (described === undefined) return [`${status} is not described`]
    const response = this.resolve(described as DescribedResponse)
    return [...this.#headerProblems(response, headers), ...this.#bodyProblems(response, headers, text)]
  }

  #headerProblems({ headers = {} }: DescribedResponse, sent: Reply['headers']): string[] {
    return Object.entries(headers).flatMap(([name, given]) => {
      const { required = false, schema } = this.resolve(given)
      const value = sent[name.toLowerCase()]
      if (value === undefined) return required ? [`${name} is missing`] : []
      const read = schema.type === 'integer' ? Number(value) : value
      return this.problemsOf(schema, read).map(problem => `${name}: ${problem}`)
    })
  }

  #bodyProblems({ content }: DescribedResponse, headers: Reply['headers'], text: string): string[] {
    if (content === undefined) return text === '' ? [] : ['a body where none is described']
    if (headers['content-type'] === 'text/csv; charset=utf-8' && content['text/csv'] !== undefined)
      return /^[a-z_]+(?:,(?:[a-z_]+|erp_[^,\r\n]+))*\r\n/.test(text) ? [] : ['the CSV has no line of column names']
    if (headers['content-type'] !== 'application/json') return [`content-type is ${headers['content-type']}`]
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return ['the body is not JSON']
    }
    return this.problemsOf(content['application/json']!.schema, body)
  }

  #validator(schema: JsonSchema): ValidateFunction {
    const text = JSON.stringify(schema)
    const known = this.#validators.get(text)
    if (known !== undefined) return known
    const made = this.#ajv.compile(inDefinitions(schema))
    this.#validators.set(text, made)
    return made
  }
}

/** References as a validator of JSON Schema alone follows them. */
function inDefinitions(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/')) as object
}
