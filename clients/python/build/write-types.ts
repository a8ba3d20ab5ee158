// Writes types.py: a TypedDict for every object of an answer, with the names of the wire.
import type { JsonSchema } from '../../../src/http/api/description.ts'
import { type DescribedWire, fieldsOf, isDecimal, isSealed, isShown } from './described-wire.ts'
import { capitalised, docstring, isPlainName, quoted, wrapped } from './python-text.ts'

const head = `"""What travels between client and server. Written from the descriptions of the API: do not edit it.

Objects are plain dictionaries with the names of the wire. Decimals are \`\`decimal.Decimal\`\`, days and instants are text.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`

export function writeTypes({ schemas }: DescribedWire): string {
  const writer = new TypeWriter()
  const objects = [...schemas].filter(([, schema]) => schema.type === 'object' && !isSealed(schema))
  const names = [...schemas].filter(([, schema]) => schema.type !== 'object' || isSealed(schema))
  for (const [name, schema] of names) writer.alias(name, schema)
  for (const [name, schema] of objects) writer.object(name, schema)
  return `${head}\n${writer.text}`
}

class TypeWriter {
  #blocks: string[] = []

  get text(): string {
    return `${this.#blocks.join('\n\n')}\n`
  }

  alias(name: string, schema: JsonSchema): void {
    const said = typeof schema.description === 'string' ? [...wrapped(schema.description, 0, '#: ')] : []
    this.#blocks.push([...said, `${name} = ${this.#typeOf(schema, name)}`].join('\n'))
  }

  object(name: string, schema: JsonSchema): void {
    const needed = new Set((schema.required ?? []) as readonly string[])
    const fields = Object.entries(fieldsOf(schema)).map(([field, each]) => ({
      field,
      // Written first, because it is used here.
      type: this.#typeOf(each, `${name}${capitalised(field)}`),
      said: typeof each.description === 'string' ? each.description : null,
    }))
    const always = fields.filter(({ field }) => needed.has(field))
    const sometimes = fields.filter(({ field }) => !needed.has(field))
    const about = typeof schema.description === 'string' ? schema.description : `A part of an answer.`
    // Python 3.9 has no NotRequired: what may be missing is in a class on top.
    if (sometimes.length > 0 && always.length > 0) {
      this.#blocks.push(`\n${writeClass(`_${name}Always`, 'TypedDict', null, always)}`)
      this.#blocks.push(`\n${writeClass(name, `_${name}Always, total=False`, about, sometimes)}`)
    } else {
      const base = sometimes.length > 0 ? 'TypedDict, total=False' : 'TypedDict'
      this.#blocks.push(`\n${writeClass(name, base, about, fields)}`)
    }
  }

  #typeOf(schema: JsonSchema, name: string): string {
    if (typeof schema.$ref === 'string') return schema.$ref
    if (Array.isArray(schema.anyOf)) return this.#union(schema.anyOf as readonly JsonSchema[], name)
    if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(quoted).join(', ')}]`
    if (schema.const !== undefined) return `Literal[${quoted(schema.const)}]`
    if (schema.type === 'array') return `List[${this.#typeOf((schema.items ?? {}) as JsonSchema, name)}]`
    if (schema.type === 'object') return this.#objectType(schema, name)
    if (isDecimal(schema)) return 'Decimal'
    if (isShown(schema)) return 'Union[Decimal, str]'
    const plain: Readonly<Record<string, string>> = { integer: 'int', boolean: 'bool', string: 'str', null: 'None' }
    return plain[String(schema.type)] ?? 'Any'
  }

  #union(parts: readonly JsonSchema[], name: string): string {
    const types = parts
      .filter(({ type }) => type !== 'null')
      .map((each, at) => this.#typeOf(each, at === 0 ? name : `${name}${at + 1}`))
    const different = [...new Set(types)]
    const whole = different.length === 1 ? different[0]! : `Union[${different.join(', ')}]`
    return parts.some(({ type }) => type === 'null') ? `Optional[${whole}]` : whole
  }

  #objectType(schema: JsonSchema, name: string): string {
    if (isSealed(schema)) return 'Dict[str, Any]'
    if (Object.keys(fieldsOf(schema)).length > 0) {
      this.object(name, schema)
      return name
    }
    const named = Object.values((schema.patternProperties ?? {}) as Readonly<Record<string, JsonSchema>>)
    return `Dict[str, ${named.length === 1 ? this.#typeOf(named[0]!, name) : 'Any'}]`
  }
}

interface WrittenField {
  readonly field: string
  readonly type: string
  readonly said: string | null
}

function writeClass(name: string, base: string, about: string | null, fields: readonly WrittenField[]): string {
  if (fields.some(({ field }) => !isPlainName(field))) return writeByCall(name, base, about, fields)
  const said = about === null ? [] : [...docstring(about, 4), '']
  const lines = fields.flatMap(({ field, type, said }) => [
    ...(said === null ? [] : wrapped(said, 4, '#: ')),
    `    ${field}: ${type}`,
  ])
  return [`class ${name}(${base}):`, ...said, ...lines].join('\n')
}

/** For names of fields that are words of the language. */
function writeByCall(name: string, base: string, about: string | null, fields: readonly WrittenField[]): string {
  if (!base.startsWith('TypedDict')) throw new Error(`${name} has a field that Python cannot name, and may lack it`)
  const total = base.includes('total') ? ', total=False' : ''
  const lines = fields.map(({ field, type }) => `        ${quoted(field)}: ${quoted(type)},`)
  return [
    ...(about === null ? [] : wrapped(about, 0, '#: ')),
    `${name} = TypedDict(`,
    `    ${quoted(name)},`,
    '    {',
    ...lines,
    `    }${total},`,
    ')',
  ].join('\n')
}
