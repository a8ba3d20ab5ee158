// A stand-in for a company's identity provider, for the demo and for tests: a real OpenID Connect server on this machine whose
// sign-in page shows its people and asks for no password. Never for anything else: whoever can open its page is whoever they
// like.
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Refusal } from '../../core/refusal.ts'

// `node:http` is not imported by name: that would load everything behind `fetch` and `WebSocket` as well.
const { createServer } = process.getBuiltinModule('node:http')

export interface StandInPerson {
  /** The provider's own name for them. */
  readonly subject: string
  readonly name: string
  readonly email: string
  readonly groups: readonly string[]
}

interface StandInOptions {
  /** Port; 0: any that is free. */
  readonly port: number
  /** Name of the company, for the page of its provider. */
  readonly company: string
  readonly people: readonly StandInPerson[]
  readonly clientId: string
  readonly clientSecret: string
  /** Address of Assize: `http://localhost:8080`. */
  readonly publicUrl: string
}

interface StandInProvider {
  readonly issuer: string
  close(): Promise<void>
}

/** The used part of the package, which has no types of its own. */
interface OidcProvider {
  callback(): (req: IncomingMessage, res: ServerResponse) => void
  interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<{ readonly uid: string }>
  interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>
  readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
}
type OidcModule = { readonly default: new (issuer: string, configuration: object) => OidcProvider }

/** The package comes with the checkout, and not with the installed program. */
const packageName = 'oidc-provider'

async function loadPackage(): Promise<OidcModule> {
  try {
    return (await import(packageName)) as OidcModule
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Refusal(
      'unavailable',
      `the stand-in provider needs the package ${packageName}, which only a checkout of Assize has: run npm run demo -- --sso there`,
    )
  }
}

export async function startStandInProvider(options: StandInOptions): Promise<StandInProvider> {
  const server = createServer()
  const issuer = await listen(server, options.port)
  const provider = await quietly(async () => {
    const { default: Provider } = await loadPackage()
    return new Provider(issuer, configurationOf(options))
  }).catch(error => {
    server.close()
    throw error
  })
  const others = provider.callback()
  server.on('request', (req, res) => {
    const path = req.url!.split('?', 1)[0]!
    if (!path.startsWith('/people/')) others(req, res)
    else
      void choose(provider, options, req, res).catch(() => res.writeHead(400).end('this sign-in is over; begin again'))
  })
  return {
    issuer,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

/** Quiets the package, which warns of more use than a demo. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, info } = console
  Object.assign(console, { warn: () => undefined, info: () => undefined })
  try {
    return await work()
  } finally {
    Object.assign(console, { warn, info })
  }
}

async function listen(server: Server, port: number): Promise<string> {
  const tryPort = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, 'localhost', () => resolve(server.off('error', reject) && undefined))
    })
  await tryPort(port).catch(error => {
    if (error.code !== 'EADDRINUSE') throw error
    return tryPort(0)
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

function configurationOf({ people, clientId, clientSecret, publicUrl }: StandInOptions): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/sso/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        backchannel_logout_uri: `${publicUrl}/sso/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // The token carries the claims about a person, which saves a second request.
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'groups', 'sid', 'auth_time'], profile: ['name'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 300, IdToken: 300, Interaction: 600, Session: 43_200, Grant: 43_200 },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/people/${uid}` },
    findAccount: (_: unknown, subject: string) => {
      const person = people.find(each => each.subject === subject)
      if (person === undefined) return undefined
      const { name, email, groups } = person
      return { accountId: subject, claims: () => ({ sub: subject, name, email, email_verified: true, groups }) }
    },
    // The grant is given without asking whether Assize may know the person: that is why they came.
    loadExistingGrant: async (ctx: {
      readonly oidc: {
        readonly provider: OidcProvider
        readonly session: { readonly accountId: string }
        readonly client: { readonly clientId: string }
      }
    }) => {
      const { provider, session, client } = ctx.oidc
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  }
}

/** Shows the page with the people, and handles the choice of one. */
async function choose(
  provider: OidcProvider,
  { people, company }: StandInOptions,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { uid } = await provider.interactionDetails(req, res)
  if (req.method !== 'POST') {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    res.end(pageOf(company, people, uid))
    return
  }
  let form = ''
  for await (const chunk of req) form += chunk
  const accountId = new URLSearchParams(form).get('person')
  const result = people.some(({ subject }) => subject === accountId)
    ? { login: { accountId } }
    : { error: 'access_denied', error_description: 'nobody was chosen' }
  await provider.interactionFinished(req, res, result)
}

function pageOf(company: string, people: readonly StandInPerson[], uid: string): string {
  const rows = people.map(
    ({ subject, name, email }) =>
      `<button name="person" value="${escaped(subject)}"><b>${escaped(name)}</b><span>${escaped(email)}</span></button>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(company)}: sign in</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 22rem; margin: 14vh auto 0; padding: 0 1.5rem }
  h1 { font-size: 1.25rem }
  form { display: grid; gap: .75rem }
  button { font: inherit; text-align: left; padding: .75rem 1rem; display: grid; cursor: pointer }
</style>
</head>
<body>
<main>
<h1>${escaped(company)}</h1>
<p>The demo’s stand-in for a company’s identity provider. Who are you?</p>
<form method="post" action="/people/${uid}">
${rows.join('\n')}
<button name="person" value="">Nobody: do not sign in</button>
</form>
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
