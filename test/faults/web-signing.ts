// A party that signs on the web while its server may be killed: the outcome, in the same form as for a command.

import { limits } from '../../src/limits.ts'
import type { HttpClient } from '../support/clients/http-client.ts'
import type { Ending } from './command-run.ts'

const patienceMs = 60_000

/** A server, or what is in front of several. */
interface Served {
  readonly client: HttpClient
}

export class WebParty {
  readonly #workspace: string
  readonly #party: 'buyer' | 'supplier'
  #cookie: string | null = null
  #password = ''
  #confirmedMs = Number.NEGATIVE_INFINITY

  constructor(workspaceSlug: string, party: 'buyer' | 'supplier') {
    this.#workspace = workspaceSlug
    this.#party = party
  }

  async signIn(server: Served, email: string, password: string): Promise<void> {
    const { status, text, headers } = await this.#post(server, '/sign-in', { email, password })
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`)
    this.#cookie = headers['set-cookie']![0]!.split(';', 1)[0]!
    this.#password = password
  }

  /** A broken connection is an ending without a status: it is unknown whether the work was done. */
  async sign(server: Served, slug: string, period: string, hash: string): Promise<Ending> {
    const begunMs = performance.now()
    const path = `/w/${this.#workspace}/agreements/${slug}/periods/${period}/sign`
    const request = { party: this.#party, periods: [{ period, hash }] }
    const asked = this.#confirm(server)
      .then(() => this.#post(server, path, request))
      .catch(() => null)
    const late = new Promise<'late'>(resolve => setTimeout(resolve, patienceMs, 'late').unref())
    const reply = await Promise.race([asked, late])
    if (reply === 'late') throw new Error(`the ${this.#party} had no answer after ${patienceMs} ms`)
    const ms = performance.now() - begunMs
    if (reply === null) return { status: null, acknowledged: null, err: '', ms }
    if (reply.status === 200) return { status: 0, acknowledged: JSON.parse(reply.text), err: '', ms }
    return { status: reply.status, acknowledged: null, err: reply.text, ms }
  }

  /** Enters the password again if the last time is too long ago. */
  async #confirm(server: Served): Promise<void> {
    if (performance.now() - this.#confirmedMs < (limits.confirmedSeconds * 1000) / 2) return
    const { status, text } = await this.#post(server, '/confirm', { password: this.#password })
    if (status !== 204) throw new Error(`the ${this.#party} cannot confirm: ${status} ${text}`)
    this.#confirmedMs = performance.now()
  }

  #post({ client }: Served, path: string, body: object) {
    const host = `127.0.0.1:${client.port}`
    const headers = {
      host,
      origin: `http://${host}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      ...(this.#cookie === null ? {} : { cookie: this.#cookie }),
    }
    return client.ask(`/console${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  }
}
