// Wire types of the console about identity providers: how the people of a party sign in.
import type { Role } from '../../core/roles.ts'
import type { SessionView } from './session.ts'

export interface SignInStart {
  /** Where the browser goes. */
  readonly url: string
}

export interface SignInAnswer {
  /** A path of ours. */
  readonly returnTo: string
  /** Null for somebody who came back to sign: their session is the one they have. */
  readonly session: SessionView | null
  /** For somebody who came back to sign: what waits for the request that signs it. */
  readonly signing?: string
}

export interface IdentityProviderRow {
  readonly id: string
  /** By its slug; null: people of the workspace who are of no party. */
  readonly party: string | null
  readonly partyName: string | null
  readonly issuer: string
  readonly clientId: string
  /** What people open to sign in by it. */
  readonly address: string
  readonly isRequired: boolean
  /** The e-mail address of who keeps a password. */
  readonly except: string | null
  readonly groupsClaim: string | null
  readonly groups: readonly { readonly group: string; readonly role: Role }[]
  readonly joining: { readonly group: string; readonly role: Role } | null
  /** People of the party who sign in by it. */
  readonly linked: number
  /** The addresses of those who have joined and do not. */
  readonly unlinked: readonly string[]
  readonly setBy: string
  readonly setAt: string
}

export interface IdentityProvidersPage {
  readonly providers: readonly IdentityProviderRow[]
  /** Whose provider the person may set: parties by slug, and null for people of no party. */
  readonly parties: readonly { readonly party: string | null; readonly name: string }[]
  /** Owners, for the one who keeps a password. */
  readonly owners: readonly { readonly email: string; readonly party: string | null }[]
  /** To be entered at the provider, letter by letter. */
  readonly redirectAddress: string
  readonly logoutAddress: string
}

export interface ProviderTest {
  readonly isGood: boolean
  /** One sentence: what is wrong, or that all is well. */
  readonly sentence: string
}
