// The frame around the pages of a workspace: navigation, number of waiting signatures, and the signed-in person.
import { Burger, Drawer, Kbd, Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { whilePending } from '../components/agreements/queries.ts'
import { Mark } from '../components/page/brand.tsx'
import {
  IconAgreement,
  IconBringIn,
  IconChevron,
  IconDue,
  IconIndexChange,
  IconInstallation,
  IconInvoice,
  IconLedger,
  IconMoon,
  IconOut,
  IconOverview,
  IconRevision,
  IconSearch,
  IconSeries,
  IconSettings,
  IconSign,
  IconSun,
} from '../components/page/icons.tsx'
import { Empty, LoadingPage, PageHead } from '../components/page/page.tsx'
import { type PlacePath, places } from '../components/page/places.ts'
import { VisitReturn } from '../components/signing/visit-return.tsx'
import { formatCount } from '../components/words/words.ts'
import { sessionQuery, useSession, useWorkspace, workspaceQuery } from '../session.ts'
import classes from './frame.module.css'
import { LogBar, SlipNotice } from './log-bar.tsx'
import { Palette } from './palette.tsx'

/** Nothing suspends while the session is loading: React would reveal suspended content only 300 ms later. */
export function Frame() {
  const { data: session, error } = useQuery(sessionQuery)
  const { ws } = useParams({ strict: false })
  if (session === undefined && error !== null) throw error
  if (session === undefined) return null
  if (session === null) return <ToSignIn />
  const isKnown = session.workspaces.some(each => each.slug === ws)
  return isKnown ? <Shell /> : <NoWorkspace />
}

/** Redirects once, with the address as it was first requested: it changes during the redirect. */
function ToSignIn() {
  const navigate = useNavigate()
  const wanted = useRef(`${location.pathname}${location.search}`)
  useEffect(() => {
    void navigate({ to: '/sign-in', search: { back: wanted.current }, replace: true })
  }, [navigate])
  return null
}

function NoWorkspace() {
  return (
    <main className={classes.alone}>
      <PageHead title="No such workspace" />
      <Empty
        title="There is no such workspace, or you are not a member of it"
        action={<a href="/">To your workspaces</a>}
      >
        The address names a workspace you cannot enter. Ask an owner of it for an invitation.
      </Empty>
    </main>
  )
}

function Shell() {
  const [isOpen, menu] = useDisclosure(false)
  const [isSearching, search] = useDisclosure(false)
  const { pathname } = useLocation()
  useHotkeys([['mod+K', search.open]], [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating to another page closes the menu.
  useEffect(() => menu.close(), [pathname])
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <aside className={`${classes.side} no-print`}>
        <Navigation />
      </aside>
      <div className={classes.main}>
        <header className={`${classes.bar} no-print`}>
          <Burger className={classes.burger ?? ''} opened={isOpen} onClick={menu.toggle} size="sm" aria-label="Menu" />
          <UnstyledButton className={classes.search} onClick={search.open}>
            <IconSearch />
            <span>Search series, agreements, periods</span>
            <Kbd size="xs">{/Mac/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</Kbd>
          </UnstyledButton>
          <span className={classes.gap} />
          <SchemeButton />
          <AccountMenu />
        </header>
        <LogBar />
        <main id="content" className={classes.content} tabIndex={-1}>
          <Suspense fallback={<LoadingPage />}>
            <Outlet />
          </Suspense>
          <VisitReturn />
        </main>
      </div>
      <Drawer
        opened={isOpen}
        onClose={menu.close}
        size={264}
        title="Menu"
        classNames={{ header: 'unseen' }}
        withCloseButton={false}
        padding={0}
      >
        <Navigation />
      </Drawer>
      <Palette isOpen={isSearching} close={search.close} />
      <SlipNotice />
    </div>
  )
}

function Navigation() {
  const workspace = useWorkspace()
  const { slug } = workspace
  const isOperator = useSession()?.isOperator === true
  const waiting = useQuery({
    ...workspaceQuery(workspace, '/sign-offs/count'),
    refetchInterval: ({ state }) => whilePending(state.data),
  }).data
  const params = { ws: slug }
  return (
    <div className={classes.ways}>
      <Link to="/w/$ws" params={params} className={classes.brand}>
        <Mark />
        Assize
      </Link>
      <WorkspaceSwitch />
      <nav aria-label="Pages">
        {places.map(({ to, label }) => (
          <PageLink
            key={to}
            to={to}
            icon={icons[to]}
            label={label}
            isExact={to === '/w/$ws'}
            waiting={to === '/w/$ws/sign-offs' ? waiting : undefined}
          />
        ))}
        {isOperator && <PageLink to="/w/$ws/installation" icon={<IconInstallation />} label="Installation" />}
        <a href="/docs" className={classes.way} target="_blank" rel="noreferrer">
          <IconOut />
          <span>API docs</span>
        </a>
      </nav>
    </div>
  )
}

const icons: Readonly<Record<PlacePath, ReactNode>> = {
  '/w/$ws': <IconOverview />,
  '/w/$ws/series': <IconSeries />,
  '/w/$ws/agreements': <IconAgreement />,
  '/w/$ws/sign-offs': <IconSign />,
  '/w/$ws/due': <IconDue />,
  '/w/$ws/revisions': <IconRevision />,
  '/w/$ws/index-changes': <IconIndexChange />,
  '/w/$ws/ledgers': <IconLedger />,
  '/w/$ws/invoices': <IconInvoice />,
  '/w/$ws/bring-in': <IconBringIn />,
  '/w/$ws/settings': <IconSettings />,
}

interface PageLinkProps {
  readonly to: PlacePath | '/w/$ws/installation'
  readonly icon: ReactNode
  readonly label: string
  readonly isExact?: boolean
  /** Signatures that wait for the person; the last known number while some of it is being computed. */
  readonly waiting?: { readonly mineCount: number; readonly pending: number } | undefined
}

function PageLink({ to, icon, label, isExact = false, waiting }: PageLinkProps) {
  const { slug } = useWorkspace()
  return (
    <Link
      to={to}
      params={{ ws: slug }}
      className={classes.way}
      activeOptions={{ exact: isExact, includeSearch: false }}
      activeProps={{ 'data-active': 'true', 'aria-current': 'page' }}
    >
      {icon}
      <span>{label}</span>
      {waiting !== undefined && waiting.mineCount > 0 && (
        <span className={classes.count} data-is-known={waiting.pending === 0}>
          {formatCount(waiting.mineCount)}
          <span className="unseen"> wait for you{waiting.pending > 0 && ', updating'}</span>
        </span>
      )}
    </Link>
  )
}

function WorkspaceSwitch() {
  const session = useSession()
  const workspace = useWorkspace()
  const navigate = useNavigate()
  const others = session?.workspaces.filter(each => each.slug !== workspace.slug) ?? []
  if (others.length === 0)
    return (
      <div className={classes.workspace}>
        <span className={classes.workspaceName}>{workspace.name}</span>
      </div>
    )
  return (
    <Menu position="bottom-start" width={224}>
      <Menu.Target>
        <UnstyledButton className={classes.workspace} aria-label={`Workspace ${workspace.name}, switch`}>
          <span className={classes.workspaceName}>{workspace.name}</span>
          <IconChevron />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Switch to</Menu.Label>
        {others.map(({ slug, name, role }) => (
          <Menu.Item key={slug} onClick={() => void navigate({ to: '/w/$ws', params: { ws: slug } })}>
            {name} <span className="soft">({role})</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <UnstyledButton
      className={classes.iconButton}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      aria-label={isDark ? 'Light colours' : 'Dark colours'}
    >
      {isDark ? <IconSun /> : <IconMoon />}
    </UnstyledButton>
  )
}

function AccountMenu() {
  const session = useSession()
  const { slug, role } = useWorkspace()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signOut = async () => {
    await api.post('/sign-out', {}).catch(() => undefined)
    queries.clear()
    await navigate({ to: '/sign-in' })
  }
  const name = session?.person.name ?? ''
  const initials = name
    .split(/[\s.]+/)
    .slice(0, 2)
    .map(part => part.charAt(0).toUpperCase())
    .join('')
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.avatar} aria-label={`${initials}, account of ${name}`}>
          {initials}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}
          <br />
          {session?.person.email}, {role}
        </Menu.Label>
        <Menu.Item
          onClick={() => void navigate({ to: '/w/$ws/settings/$part', params: { ws: slug, part: 'sessions' } })}
        >
          Sessions and password
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
