// Sends the requests of a visit's first page at once, together with the session request: one wait instead of two. Only the pages
// where people usually start do that; the others send their requests when they are shown.

/** The parts of a location that matter here. */
interface VisitedPlace {
  readonly pathname: string
  readonly search: string
}

/** The request of each page, for addresses without filters. */
const asked = new Map([
  ['', '/overview'],
  ['/agreements', '/agreements'],
  ['/sign-offs', '/sign-offs'],
])

interface Begun {
  readonly workspace: string
  readonly requests: readonly string[]
}

export function firstRequests({ pathname, search }: VisitedPlace): Begun | null {
  const [, workspace, page = ''] = /^\/w\/([a-z0-9-]+)(\/[a-z-]+)?\/?$/.exec(pathname) ?? []
  if (workspace === undefined) return null
  const wanted = search === '' || page === '' ? asked.get(page) : undefined
  const inWorkspace = [...(wanted === undefined ? [] : [wanted]), '/sign-offs/count']
  return { workspace, requests: ['/session', ...inWorkspace.map(path => `/w/${workspace}${path}`)] }
}
