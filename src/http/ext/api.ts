// `/ext/v1` for the pipeline: additions to v1 for integrators, with its keys, limits and answers.
import { acceptedFormat } from '../api/accept.ts'
import type { ApiDefinition } from '../api/definition.ts'
import { table } from './routes.ts'

/** The workbook that refreshes itself. It says nothing about any workspace, so it needs no key. */
export const workbookPath = '/excel/assize.xlsx'

export const ext: ApiDefinition = {
  name: 'ext/v1',
  prefixes: ['/ext/v1', '/api/ext/v1'],
  table,
  files: [workbookPath],
  hasHealth: false,
  // Spreadsheets keep Basic credentials for their user; a Bearer header would be stored in the workbook.
  takesBasic: true,
  challenge: 'Bearer, Basic realm="assize"',
  vary: 'Authorization, Accept, Accept-Encoding',
  answersOptions: true,
  accepts: acceptedFormat,
  crossOrigin: {
    methods: 'GET, HEAD, QUERY, POST, OPTIONS',
    headers: 'accept, authorization, content-type, if-none-match, x-request-id',
  },
}
