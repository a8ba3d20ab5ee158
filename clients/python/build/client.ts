// `npm run client:python`: writes the generated files of the Python client from the descriptions of the API.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './generated-files.ts'

for (const [name, text] of Object.entries(generatedFiles()))
  writeFileSync(join(import.meta.dirname, '..', 'assize', name), text)
