// What pages may request and what they may not. It never runs: the compiler reads it with `npm run check`, and complains if
// a line compiles that must not.
import { type AddressIn, type Api, at } from '../../../web/calls.ts'

export const asks = [
  (api: Api) => api.post('/confirm', { password: 'x' }),
  // @ts-expect-error: the field is called password
  (api: Api) => api.post('/confirm', { word: 'x' }),
  // @ts-expect-error: the password is missing
  (api: Api) => api.post('/confirm', {}),
  // @ts-expect-error: one field too many
  (api: Api) => api.post('/confirm', { password: 'x', more: 1 }),
  // @ts-expect-error: nothing is sent there
  (api: Api) => api.post('/sign-out', { now: true }),
  // @ts-expect-error: there is no such call
  (api: Api) => api.get('/nowhere'),
  // @ts-expect-error: it is asked with POST
  (api: Api) => api.get('/confirm'),
  // @ts-expect-error: its identifier is not in it
  (api: Api) => api.delete('/passkeys/:id'),
  // @ts-expect-error: that is no name of an identifier there
  () => at('/passkeys/:id', { key: 'x' }),
  async (api: Api) => (await api.get('/session')).person.email,
  // @ts-expect-error: the answer has no such field
  async (api: Api) => (await api.get('/session')).email,
  async (api: Api, path: AddressIn) => (await api.get(path('/find', { q: 'x' }))).series,
  // @ts-expect-error: nothing is looked for by that name
  (api: Api, path: AddressIn) => api.get(path('/find', { words: 'x' })),
  // @ts-expect-error: this status does not exist
  (api: Api, path: AddressIn) => api.get(path('/agreements', { status: 'GONE' })),
  // @ts-expect-error: a search needs words
  (api: Api, path: AddressIn) => api.get(path('/series/search', { provider: 'FRED' })),
  // @ts-expect-error: the role does not exist
  (api: Api, path: AddressIn) => api.patch(path('/people/:id', { id: 'x' }), { role: 'king' }),
]
