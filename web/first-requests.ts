// What the first page of a visit needs is asked for at once, together with who is signed in: one wait instead of two. For the
// pages people begin with; the others ask when they are shown.

/** Of an address. */
interface Place {
  readonly pathname: string
  readonly search: string
}

/** Of lists that the address does not narrow down. */
const asked = new Map([
  ['', '/overview'],
  ['/formulas', '/formulas'],
  ['/sign-offs', '/sign-offs'],
])

export interface Begun {
  readonly workspace: string
  readonly requests: readonly string[]
}

export function firstRequests({ pathname, search }: Place): Begun | null {
  const [, workspace, page = ''] = /^\/w\/([a-z0-9-]+)(\/[a-z-]+)?\/?$/.exec(pathname) ?? []
  if (workspace === undefined) return null
  const wanted = search === '' || page === '' ? asked.get(page) : undefined
  const inWorkspace = [...(wanted === undefined ? [] : [wanted]), '/sign-offs/count']
  return { workspace, requests: ['/session', ...inWorkspace.map(path => `/w/${workspace}${path}`)] }
}
