// What a workspace with so many agreements costs: the list of the API and the pages of a whole portfolio, after a start, warm,
// and after one new agreement.
import type { Sql } from '../../src/storage/postgres/database.ts'
import type { FolderGround } from '../../test/faults/grounds.ts'
import type { Reply } from '../../test/support/clients/http-client.ts'
import type { ConsoleReply } from '../../test/support/houses/console.ts'
import { Asked, type Cost, costOf, nextAnswer, turns } from './answers.ts'
import { applyAgreement, type FilledWorkspace } from './fill.ts'

/** In milliseconds. */
interface Pages {
  readonly api: Cost
  readonly list: Cost
  readonly signOffs: Cost
  readonly overview: Cost
}

export interface AgreementCosts {
  readonly first: Pages
  readonly warm: Pages
  readonly afterNew: Pages
  /** From the first request for the overview until it has everything. */
  readonly workedOut: Cost
}

const changes = 7

export async function measureAgreements(
  ground: FolderGround,
  sql: Sql,
  filled: FilledWorkspace,
): Promise<AgreementCosts> {
  // Each is the first that a server is asked.
  const first = {
    api: await afterStart(ground, filled, asked => asked.api('/pams')),
    list: await afterStart(ground, filled, asked => asked.page('/agreements')),
    signOffs: await afterStart(ground, filled, asked => asked.page('/sign-offs')),
    overview: await afterStart(ground, filled, asked => asked.page('/overview')),
  }
  const asked = await Asked.start(ground, filled)
  try {
    await asked.signIn()
    const fromMs = performance.now()
    await asked.untilWorkedOut()
    const workedOut = costOf([performance.now() - fromMs])
    for (const path of ['/agreements', '/sign-offs']) await asked.page(path)
    await asked.api('/pams')
    return { first, warm: await measureWarm(asked), afterNew: await measureNew(asked, sql, filled), workedOut }
  } finally {
    await asked.stop()
  }
}

const starts = 2

function afterStart(
  ground: FolderGround,
  filled: FilledWorkspace,
  ask: (asked: Asked) => Promise<Reply>,
): Promise<Cost> {
  return turns(starts, async () => {
    const asked = await Asked.start(ground, filled)
    try {
      await asked.signIn()
      return (await ask(asked)).ms
    } finally {
      await asked.stop()
    }
  })
}

async function measureWarm(asked: Asked): Promise<Pages> {
  return {
    api: await turns(changes, async () => (await asked.api('/pams')).ms),
    list: await turns(changes, async () => (await asked.page('/agreements')).ms),
    signOffs: await turns(changes, async () => (await asked.page('/sign-offs')).ms),
    overview: await turns(changes, async () => (await asked.page('/overview')).ms),
  }
}

async function measureNew(asked: Asked, sql: Sql, { workspace }: FilledWorkspace): Promise<Pages> {
  let made = 0
  const add = () => {
    made++
    return applyAgreement(sql, workspace.id, `new-${made}`, made)
  }
  const after = <R extends Reply>(ask: () => Promise<R>, stateOf: (reply: R) => unknown) =>
    turns(changes, () => nextAnswer(ask, stateOf, add))
  const page = (path: string, read: (body: Counted) => unknown) =>
    after(
      () => asked.page(path),
      ({ json }: ConsoleReply) => read(json as Counted),
    )
  return {
    api: await after(
      () => asked.api('/pams'),
      ({ headers }) => headers.etag,
    ),
    list: await page('/agreements', ({ all }) => all),
    signOffs: await page('/sign-offs', ({ counts }) => counts!.others!.periods),
    overview: await page('/overview', ({ counts }) => counts!.agreements),
  }
}

/** The part of a page that shows how many agreements there are. */
interface Counted {
  readonly all?: number
  readonly counts?: { readonly agreements?: number; readonly others?: { readonly periods: number } }
}
