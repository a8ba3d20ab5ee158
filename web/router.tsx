// Every address of the web interface. A page is loaded when it is visited; its state (a date, a range, the other series) is in
// its address, as plain text.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { explainUnfetched } from './api.ts'
import { LoadingPage, PageTrouble } from './components/page/page.tsx'
import { Frame } from './frame/frame.tsx'
import { HomePage } from './pages/home/page.tsx'
import { LostPage, NotFoundPage } from './pages/not-found/page.tsx'

/** The query of the address: text by name. */
type Search = Record<string, string | undefined>

/** A page is loaded when visited; while offline that fails with a message, and the current page stays. */
function pageOf<Pages extends Record<string, unknown>, Name extends keyof Pages>(
  load: () => Promise<Pages>,
  name: Name,
) {
  return lazyRouteComponent(() => load().catch(explainUnfetched), name)
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: LostPage,
  validateSearch: (search: Search): Search => search,
})
const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage })
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$ws',
  component: Frame,
  notFoundComponent: NotFoundPage,
})

/** A page for which nobody has to be signed in to a workspace. */
function outside<Path extends string, Pages extends Record<string, unknown>, Name extends keyof Pages>(
  path: Path,
  load: () => Promise<Pages>,
  name: Name,
) {
  return createRoute({ getParentRoute: () => root, path, component: pageOf(load, name) })
}

/** A page of a workspace. */
function inside<Path extends string, Pages extends Record<string, unknown>, Name extends keyof Pages>(
  path: Path,
  load: () => Promise<Pages>,
  name: Name,
) {
  return createRoute({ getParentRoute: () => workspace, path, component: pageOf(load, name) })
}

const routeTree = root.addChildren([
  home,
  outside('/sign-in', () => import('./pages/account/sign-in/page.tsx'), 'SignInPage'),
  outside('/set-up', () => import('./pages/account/set-up/page.tsx'), 'SetUpPage'),
  outside('/new-password', () => import('./pages/account/set-up/page.tsx'), 'NewPasswordPage'),
  outside('/verify', () => import('./pages/verify/page.tsx'), 'VerifyPage'),
  outside('/unsubscribe', () => import('./pages/account/unsubscribe/page.tsx'), 'UnsubscribePage'),
  outside('/sso/callback', () => import('./pages/account/sso-callback/page.tsx'), 'CallbackPage'),
  workspace.addChildren([
    inside('/', () => import('./pages/overview/page.tsx'), 'OverviewPage'),
    inside('/series', () => import('./pages/series/series-list/page.tsx'), 'SeriesListPage'),
    inside('/series/follow', () => import('./pages/series/series-follow/page.tsx'), 'SeriesFollowPage'),
    inside('/series/upload', () => import('./pages/bring-in/page.tsx'), 'SeriesUploadPage'),
    inside('/series/$id', () => import('./pages/series/series/page.tsx'), 'SeriesPage'),
    inside('/agreements', () => import('./pages/agreements/agreement-list/page.tsx'), 'AgreementListPage'),
    inside('/agreements/new', () => import('./pages/agreements/agreement-new/page.tsx'), 'AgreementNewPage'),
    inside('/agreements/$slug', () => import('./pages/agreements/agreement/page.tsx'), 'AgreementPage'),
    inside('/agreements/$slug/edit', () => import('./pages/agreements/agreement-edit/page.tsx'), 'AgreementEditPage'),
    inside(
      '/agreements/$slug/versions',
      () => import('./pages/agreements/agreement-versions/page.tsx'),
      'AgreementVersionsPage',
    ),
    inside(
      '/agreements/$slug/compare',
      () => import('./pages/agreements/agreement-compare/page.tsx'),
      'AgreementComparePage',
    ),
    inside(
      '/agreements/$slug/periods/$period',
      () => import('./pages/agreements/adjustment/page.tsx'),
      'AdjustmentPage',
    ),
    inside(
      '/agreements/$slug/periods/$period/print',
      () => import('./pages/agreements/adjustment-print/page.tsx'),
      'AdjustmentPrintPage',
    ),
    inside('/agreements/$slug/ledger', () => import('./pages/true-up/ledger/page.tsx'), 'LedgerPage'),
    inside('/ledgers', () => import('./pages/true-up/ledgers/page.tsx'), 'LedgersPage'),
    inside('/revisions', () => import('./pages/true-up/revisions/page.tsx'), 'RevisionsPage'),
    inside('/corrections/$id', () => import('./pages/true-up/correction/page.tsx'), 'CorrectionPage'),
    inside('/corrections/$id/notes/$part', () => import('./pages/true-up/note/page.tsx'), 'NotePage'),
    inside('/index-changes', () => import('./pages/index-changes/page.tsx'), 'IndexChangesPage'),
    inside('/index-changes/$id', () => import('./pages/index-changes/change/page.tsx'), 'TermsChangePage'),
    inside('/due', () => import('./pages/due/page.tsx'), 'DuePage'),
    inside('/sign-offs', () => import('./pages/agreements/sign-offs/page.tsx'), 'SignOffsPage'),
    inside('/bring-in', () => import('./pages/bring-in/page.tsx'), 'BringInPage'),
    inside('/invoices', () => import('./pages/invoices/page.tsx'), 'InvoicesPage'),
    inside('/settings', () => import('./pages/settings/page.tsx'), 'SettingsPage'),
    inside('/settings/$part', () => import('./pages/settings/page.tsx'), 'SettingsPage'),
    inside('/installation', () => import('./pages/installation/page.tsx'), 'InstallationPage'),
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: PageTrouble,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: search => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given as [string, string][]).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
