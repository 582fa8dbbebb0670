import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useMatches, useNavigation } from 'react-router'
import { FirstStepsBar } from '../../features/first-steps/first-steps-bar.tsx'
import { HoldBanner } from '../../features/installation-hold/hold-banner.tsx'
import { GatewayBanner } from '../../features/traffic/gateway-banner.tsx'
import { forgetAddresses, noteAddress } from '../../lib/page/last-address.ts'
import { dropDraft, dropDraftsOfOthers } from '../../lib/forms/form-drafts.ts'
import { AfterFirstPaint } from '../../lib/page/first-paint.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { MenuEntries } from '../../entities/permission/menu-entries.ts'
import { mainId, usePageFocus } from '../../lib/page/page-focus.ts'
import { paths } from '../../entities/paths.ts'
import { useCan, useSession, useUser } from '../../lib/session/session.tsx'
import { LoadingScreen } from '../../ui/page/loading.tsx'
import type { Screen, ScreenHandle } from '../screen.ts'
import { screens } from '../screens.tsx'
import { ForbiddenPage } from './failure-pages.tsx'
import { useMenuFold } from './menu-fold.ts'
import { menuButtonId, ShellHeader } from './shell-header.tsx'
import { ShellMenu } from './shell-menu.tsx'
import classes from './shell.module.css'

const SignInAgain = lazyPart(
  async () => (await import('../../features/session/sign-in-again.tsx')).SignInAgain,
)

/** Lets only signed-in users in (spec: screens), and shows them menu, header and the current screen. */
export function Shell() {
  const session = useSession()
  const { pathname } = useLocation()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'signed-out') return <Navigate to={paths.login} replace />
  return (
    <>
      <ShellFrame />
      {session.status === 'ended' && (
        <SignInAgain
          user={session.user}
          onLeave={() => {
            dropDraft(session.user.id, pathname)
            session.leave()
          }}
        />
      )}
    </>
  )
}

const menuEntries = screens.flatMap(({ permission, menu }) =>
  menu ? [{ label: menu.label, group: menu.group, permission }] : [],
)

function ShellFrame() {
  const { id: userId } = useUser()
  const { pathname, search } = useLocation()
  const screen = useCurrentScreen()
  const isOnItsWay = useNavigation().state === 'loading'
  // Opened on one screen, the menu is closed on the next.
  const [menuOpenedAt, setMenuOpenedAt] = useState<string>()
  const isNarrow = useMediaQuery('(max-width: 47.99em)')
  const isMenuOpen = isNarrow && menuOpenedAt === pathname
  const [isFolded, toggleFold] = useMenuFold()
  const closeMenu = () => {
    setMenuOpenedAt(undefined)
    document.getElementById(menuButtonId)?.focus()
  }
  usePageFocus(pathname)
  useEffect(() => noteAddress(pathname, search), [pathname, search])
  useEffect(() => forgetAddresses, [])
  useEffect(() => dropDraftsOfOthers(userId), [userId])

  return (
    <div className={classes['frame']} data-folded={isFolded || undefined}>
      <SkipLink />
      {isOnItsWay && <div className={classes['progress']} aria-hidden />}
      <ShellHeader
        screen={screen}
        isMenuOpen={isMenuOpen}
        onToggleMenu={() => setMenuOpenedAt(isMenuOpen ? undefined : pathname)}
      />
      <ShellMenu
        screen={screen}
        isOpen={isMenuOpen}
        onClose={closeMenu}
        isFolded={isFolded && !isNarrow}
        onFold={toggleFold}
      />
      <main className={classes['main']} id={mainId} tabIndex={-1}>
        <AfterFirstPaint>
          <HoldBanner />
          <GatewayBanner />
          <FirstStepsBar />
        </AfterFirstPaint>
        <MenuEntries value={menuEntries}>
          {screen ? <Guarded screen={screen} /> : <Outlet />}
        </MenuEntries>
      </main>
    </div>
  )
}

function Guarded({ screen }: { screen: Screen }) {
  const can = useCan()
  const { permission } = screen
  if (permission === 'session' || can(permission)) return <Outlet />
  const first = screens.find((each) => each.menu && can(each.permission))
  // After a login nobody has asked for this screen.
  if (screen.paths.includes(paths.home) && first) return <Navigate to={first.paths[0]} replace />
  return <ForbiddenPage permission={permission} />
}

function useCurrentScreen(): Screen | undefined {
  const handle = useMatches().at(-1)?.handle as ScreenHandle | undefined
  return handle?.screen
}

/** A button in the shape of a link: a real fragment link would count as a change of address. */
function SkipLink() {
  return (
    <Button
      className={classes['skip'] ?? ''}
      size="xs"
      onClick={() => document.getElementById(mainId)?.focus()}
    >
      Skip to content
    </Button>
  )
}
