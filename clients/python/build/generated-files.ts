// The files of the Python client that are written from the two descriptions of the API: types of what travels, where decimals are
// in it, and a method for every route. What the descriptions say is what the client knows; a test compares the files with them.
import { readDescribed } from './described-wire.ts'
import { writeResources } from './write-resources.ts'
import { writeShapes } from './write-shapes.ts'
import { writeTypes } from './write-types.ts'

/** By their names in the folder of the package. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const described = readDescribed()
  return {
    'types.py': writeTypes(described),
    'shapes.py': writeShapes(described),
    'resources.py': writeResources(described),
  }
}
