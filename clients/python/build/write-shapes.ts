// Writes shapes.py: where decimals are in an answer, so that they are `Decimal` and never a float.
import type { JsonSchema } from '../../../src/http/api/description.ts'
import { type DescribedWire, fieldsOf, isDecimal, isSealed, isShown } from './described-wire.ts'
import { quoted } from './python-text.ts'

/** `D` a decimal, `S` one that may be cut off, a name, a list of one, or an object by field; `*` stands for any field. */
type Shape = string | readonly [Shape] | { readonly [field: string]: Shape }

const head = `"""Where decimals are in answers. Written from the descriptions of the API: do not edit it.

\`\`D\`\` is a decimal, \`\`S\`\` one that may be cut off and then ends with \`\`…\`\`, another text the name of a shape; a list has one shape for
its members, and \`\`*\`\` stands for any field.
"""

from typing import Any, Dict
`

export function writeShapes({ schemas }: DescribedWire): string {
  const finder = new ShapeFinder(schemas)
  const found = [...schemas.keys()].flatMap(name => {
    const shape = finder.named(name)
    return shape === null ? [] : [`    ${quoted(name)}: ${written(shape)},`]
  })
  return `${head}\nSHAPES: Dict[str, Any] = {\n${found.join('\n')}\n}\n`
}

class ShapeFinder {
  readonly #schemas: DescribedWire['schemas']

  constructor(schemas: DescribedWire['schemas']) {
    this.#schemas = schemas
  }

  /** Null where there is no decimal inside. */
  named(name: string): Shape | null {
    return this.#shapeOf(this.#schemas.get(name)!)
  }

  #shapeOf(schema: JsonSchema): Shape | null {
    if (typeof schema.$ref === 'string') return this.named(schema.$ref) === null ? null : schema.$ref
    if (isSealed(schema)) return null
    if (Array.isArray(schema.anyOf)) return this.#either(schema.anyOf as readonly JsonSchema[])
    if (isDecimal(schema)) return 'D'
    if (isShown(schema)) return 'S'
    if (schema.type === 'array') {
      const item = this.#shapeOf((schema.items ?? {}) as JsonSchema)
      return item === null ? null : [item]
    }
    const fields = Object.entries(fieldsOf(schema))
    const any = Object.values((schema.patternProperties ?? {}) as Readonly<Record<string, JsonSchema>>)
    const shapes = [...fields, ...any.map(each => ['*', each] as const)].flatMap(([field, each]) => {
      const shape = this.#shapeOf(each)
      return shape === null ? [] : [[field, shape] as const]
    })
    return shapes.length === 0 ? null : Object.fromEntries(shapes)
  }

  /** Of several forms only one may have decimals: which form it is, is not looked at. */
  #either(parts: readonly JsonSchema[]): Shape | null {
    const shapes = parts.flatMap(each => this.#shapeOf(each) ?? [])
    const different = [...new Map(shapes.map(each => [JSON.stringify(each), each])).values()]
    if (different.length > 1) throw new Error(`forms with different decimals: ${JSON.stringify(different)}`)
    return (different[0] as Shape | undefined) ?? null
  }
}

function written(shape: Shape): string {
  if (typeof shape === 'string') return quoted(shape)
  if (Array.isArray(shape)) return `[${written(shape[0])}]`
  return `{${Object.entries(shape)
    .map(([field, each]) => `${quoted(field)}: ${written(each as Shape)}`)
    .join(', ')}}`
}
