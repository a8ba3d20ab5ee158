// Every address of the web interface. A page is loaded when it is visited; what a page shows (a date, a range, the other
// series) is in its address, as plain text.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { explainUnfetched } from './api.ts'
import { LoadingPage, PageTrouble } from './components/page/page.tsx'
import { Frame } from './frame/frame.tsx'
import { newerAddress } from './older-addresses.ts'
import { HomePage } from './pages/home/page.tsx'
import { LostPage, NotFoundPage } from './pages/not-found/page.tsx'

/** The query of the address: text by name. */
type Search = Record<string, string | undefined>

/** Loaded when visited; while offline that fails with a message, and the current page stays. */
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
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: pageOf(() => import('./pages/account/sign-in/page.tsx'), 'SignInPage'),
})
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: pageOf(() => import('./pages/account/set-up/page.tsx'), 'SetUpPage'),
})
const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: pageOf(() => import('./pages/account/set-up/page.tsx'), 'NewPasswordPage'),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: pageOf(() => import('./pages/verify/page.tsx'), 'VerifyPage'),
})
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  component: pageOf(() => import('./pages/account/unsubscribe/page.tsx'), 'UnsubscribePage'),
})
const ssoCallback = createRoute({
  getParentRoute: () => root,
  path: '/sso/callback',
  component: pageOf(() => import('./pages/account/sso-callback/page.tsx'), 'CallbackPage'),
})
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$ws',
  component: Frame,
  notFoundComponent: NotFoundPage,
})

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: pageOf(() => import('./pages/overview/page.tsx'), 'OverviewPage'),
})
const seriesList = createRoute({
  getParentRoute: () => workspace,
  path: '/series',
  component: pageOf(() => import('./pages/series/series-list/page.tsx'), 'SeriesListPage'),
})
const seriesFollow = createRoute({
  getParentRoute: () => workspace,
  path: '/series/follow',
  component: pageOf(() => import('./pages/series/series-follow/page.tsx'), 'SeriesFollowPage'),
})
const seriesUpload = createRoute({
  getParentRoute: () => workspace,
  path: '/series/upload',
  component: pageOf(() => import('./pages/bring-in/page.tsx'), 'SeriesUploadPage'),
})
const series = createRoute({
  getParentRoute: () => workspace,
  path: '/series/$id',
  component: pageOf(() => import('./pages/series/series/page.tsx'), 'SeriesPage'),
})
const agreementList = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements',
  component: pageOf(() => import('./pages/agreements/agreement-list/page.tsx'), 'AgreementListPage'),
})
const agreementNew = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/new',
  component: pageOf(() => import('./pages/agreements/agreement-new/page.tsx'), 'AgreementNewPage'),
})
const agreement = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/$slug',
  component: pageOf(() => import('./pages/agreements/agreement/page.tsx'), 'AgreementPage'),
})
const agreementEdit = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/$slug/edit',
  component: pageOf(() => import('./pages/agreements/agreement-edit/page.tsx'), 'AgreementEditPage'),
})
const agreementVersions = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/$slug/versions',
  component: pageOf(() => import('./pages/agreements/agreement-versions/page.tsx'), 'AgreementVersionsPage'),
})
const agreementCompare = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/$slug/compare',
  component: pageOf(() => import('./pages/agreements/agreement-compare/page.tsx'), 'AgreementComparePage'),
})
const adjustment = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/$slug/periods/$period',
  component: pageOf(() => import('./pages/agreements/adjustment/page.tsx'), 'AdjustmentPage'),
})
const adjustmentPrint = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/$slug/periods/$period/print',
  component: pageOf(() => import('./pages/agreements/adjustment-print/page.tsx'), 'AdjustmentPrintPage'),
})
const ledger = createRoute({
  getParentRoute: () => workspace,
  path: '/agreements/$slug/ledger',
  component: pageOf(() => import('./pages/true-up/ledger/page.tsx'), 'LedgerPage'),
})
const ledgers = createRoute({
  getParentRoute: () => workspace,
  path: '/ledgers',
  component: pageOf(() => import('./pages/true-up/ledgers/page.tsx'), 'LedgersPage'),
})
const revisions = createRoute({
  getParentRoute: () => workspace,
  path: '/revisions',
  component: pageOf(() => import('./pages/true-up/revisions/page.tsx'), 'RevisionsPage'),
})
const correction = createRoute({
  getParentRoute: () => workspace,
  path: '/corrections/$id',
  component: pageOf(() => import('./pages/true-up/correction/page.tsx'), 'CorrectionPage'),
})
const note = createRoute({
  getParentRoute: () => workspace,
  path: '/corrections/$id/notes/$part',
  component: pageOf(() => import('./pages/true-up/note/page.tsx'), 'NotePage'),
})
const indexChanges = createRoute({
  getParentRoute: () => workspace,
  path: '/index-changes',
  component: pageOf(() => import('./pages/index-changes/page.tsx'), 'IndexChangesPage'),
})
const indexChange = createRoute({
  getParentRoute: () => workspace,
  path: '/index-changes/$id',
  component: pageOf(() => import('./pages/index-changes/change/page.tsx'), 'TermsChangePage'),
})
const due = createRoute({
  getParentRoute: () => workspace,
  path: '/due',
  component: pageOf(() => import('./pages/due/page.tsx'), 'DuePage'),
})
const signOffs = createRoute({
  getParentRoute: () => workspace,
  path: '/sign-offs',
  component: pageOf(() => import('./pages/agreements/sign-offs/page.tsx'), 'SignOffsPage'),
})
const bringIn = createRoute({
  getParentRoute: () => workspace,
  path: '/bring-in',
  component: pageOf(() => import('./pages/bring-in/page.tsx'), 'BringInPage'),
})
const invoices = createRoute({
  getParentRoute: () => workspace,
  path: '/invoices',
  component: pageOf(() => import('./pages/invoices/page.tsx'), 'InvoicesPage'),
})
const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: pageOf(() => import('./pages/settings/page.tsx'), 'SettingsPage'),
})
const settingsPart = createRoute({
  getParentRoute: () => workspace,
  path: '/settings/$part',
  component: pageOf(() => import('./pages/settings/page.tsx'), 'SettingsPage'),
})

const installation = createRoute({
  getParentRoute: () => workspace,
  path: '/installation',
  component: pageOf(() => import('./pages/installation/page.tsx'), 'InstallationPage'),
})

/** Addresses in bookmarks and in older mails: the pages of agreements began with `/formulas`. */
const olderAddresses = ['/formulas', '/formulas/$'].map(path =>
  createRoute({
    getParentRoute: () => workspace,
    path,
    beforeLoad: ({ location: { pathname, search, hash } }) => {
      throw redirect({ to: newerAddress(pathname), search, hash, replace: true })
    },
  }),
)

const routeTree = root.addChildren([
  home,
  signIn,
  setUp,
  newPassword,
  verify,
  unsubscribe,
  ssoCallback,
  workspace.addChildren([
    overview,
    seriesList,
    seriesFollow,
    seriesUpload,
    series,
    agreementList,
    agreementNew,
    agreement,
    agreementEdit,
    agreementVersions,
    agreementCompare,
    adjustment,
    adjustmentPrint,
    ledger,
    ledgers,
    revisions,
    correction,
    note,
    indexChanges,
    indexChange,
    due,
    signOffs,
    bringIn,
    invoices,
    settings,
    settingsPart,
    installation,
    ...olderAddresses,
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
