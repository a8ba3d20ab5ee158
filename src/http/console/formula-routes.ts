// The routes of the console about formulas: lists, pages, documents that are tried out and saved, signatures.
import Type, { type Static } from 'typebox'
import { limits } from '../../limits.ts'
import { partyNames } from '../../storage/pams.ts'
import { showAdjustment, showReceipt } from './adjustment-page.ts'
import { find } from './find.ts'
import { listFormulas, listSlugs } from './formula-list.ts'
import { showFormula } from './formula-page.ts'
import { saveFormula } from './formula-saving.ts'
import { showOverview } from './overview.ts'
import { assertionBody } from './passkeys.ts'
import { TrialDesk } from './preview.ts'
import { type ConsoleAnswer, type ConsoleParts, type ConsoleRoute, created, ok, type Question } from './route.ts'
import { listSignOffs } from './sign-offs.ts'
import { sign } from './signing.ts'
import { listVersions } from './versions.ts'
import { WorkspaceLines } from './workspace-lines.ts'

const exact = { additionalProperties: false } as const
const previewBody = Type.Object({ text: Type.String(), against: Type.Union([Type.String(), Type.Null()]) }, exact)
const compareBody = Type.Object({ text: Type.String() }, exact)
const saveBody = Type.Object(
  {
    text: Type.String(),
    basedOn: Type.Integer({ minimum: 0 }),
    revision: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  exact,
)
const signBody = Type.Object(
  {
    party: Type.Enum([...partyNames]),
    periods: Type.Array(
      Type.Object({ period: Type.String({ maxLength: 40 }), hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) }, exact),
      { minItems: 1, maxItems: limits.signedAtOnce },
    ),
    passkey: Type.Optional(assertionBody),
  },
  exact,
)

type Answer = (question: Question) => Promise<ConsoleAnswer>

export function formulaRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const desk = new TrialDesk(parts)
  const get = (path: string, answer: Answer): ConsoleRoute => ({ method: 'GET', path, answer })
  const lines = new WorkspaceLines(limits.lists)
  const list = (path: string, make: (question: Question) => Promise<unknown>) =>
    get(path, async question => ok(await lines.run(question.seat.workspace.id, () => make(question))))
  return [
    list('/overview', ({ seat }) => showOverview(parts, seat)),
    list('/sign-offs', ({ seat }) => listSignOffs(parts, seat)),
    list('/formulas', ({ seat, query }) => listFormulas(parts, seat, query)),
    get('/slugs', async ({ seat }) => ok(await listSlugs(parts, seat))),
    get('/find', async ({ seat, query }) => ok(await find(parts, seat, query.get('q')))),
    {
      method: 'POST',
      path: '/formulas',
      isUnproven: true,
      roles: ['owner', 'editor'],
      body: saveBody,
      answer: async ({ seat, body }) => created(await saveFormula(parts, seat, body as Static<typeof saveBody>)),
    },
    {
      method: 'POST',
      path: '/formulas/preview',
      isUnproven: true,
      body: previewBody,
      answer: async ({ seat, body }) => ok(await desk.preview(seat, body as Static<typeof previewBody>)),
    },
    {
      method: 'POST',
      path: '/formulas/compare',
      isUnproven: true,
      body: compareBody,
      answer: async ({ seat, body }) => ok(await desk.compare(seat, (body as Static<typeof compareBody>).text)),
    },
    get('/formulas/:slug', async ({ seat, params }) => ok(await showFormula(parts, seat, params.slug!))),
    {
      method: 'GET',
      path: '/formulas/:slug/versions',
      isUnproven: true,
      answer: async ({ seat, params }) => ok(await listVersions(parts, seat, params.slug!)),
    },
    ...periodRoutes(parts),
  ]
}

function periodRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const path = '/formulas/:slug/periods/:period'
  const page = async ({ seat, params }: Question) => ok(await showAdjustment(parts, seat, params.slug!, params.period!))
  return [
    { method: 'GET', path, answer: page },
    {
      method: 'GET',
      path: `${path}/receipt`,
      answer: async ({ seat, params }) => {
        const receipt = await showReceipt(parts, seat, params.slug!, params.period!)
        const name = `receipt-${receipt.body.pam}-${receipt.body.period}.json`
        return {
          status: 200,
          body: receipt,
          headers: { 'content-disposition': `attachment; filename="${name}"` },
        }
      },
    },
    {
      method: 'POST',
      path: `${path}/sign`,
      body: signBody,
      answer: async question => {
        await sign(parts, question, question.body as Static<typeof signBody>)
        return page(question)
      },
    },
  ]
}
