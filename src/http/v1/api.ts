// v1 for the pipeline. It is a contract: nothing of it changes.
import type { ApiDefinition } from '../api/definition.ts'
import { table } from './routes.ts'

export const v1: ApiDefinition = {
  name: 'v1',
  prefixes: ['/v1', '/api/v1'],
  table,
  hasHealth: true,
  takesBasic: false,
  challenge: 'Bearer',
  vary: 'Authorization, Accept-Encoding',
  answersOptions: false,
  accepts: null,
  crossOrigin: { methods: 'GET, HEAD, OPTIONS', headers: 'authorization, if-none-match, x-request-id' },
}
