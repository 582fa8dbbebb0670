import { ActionIcon, Anchor, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { AlarmBell } from '../../features/alarms/alarm-bell.tsx'
import { HelpButton } from '../../features/help/help-button.tsx'
import { SearchButton } from '../../features/search/search-button.tsx'
import { paths } from '../../entities/paths.ts'
import { lastAddressOf } from '../../lib/page/last-address.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useThing, type Thing } from '../../lib/page/thing-name.ts'
import type { Screen } from '../screen.ts'
import { screens } from '../screens.tsx'
import classes from './shell.module.css'
import { ShortcutsHelp } from './shortcuts.tsx'
import { UserMenu } from './user-menu.tsx'

export const menuButtonId = 'menu-button'

interface ShellHeaderProps {
  screen: Screen | undefined
  isMenuOpen: boolean
  onToggleMenu: () => void
}

/** Title and breadcrumb as the spec has them (spec: screens), then where one is, and the user's menu. */
export function ShellHeader({ screen, isMenuOpen, onToggleMenu }: ShellHeaderProps) {
  const thing = useThing()
  useDocumentTitle(`${windowTitle(screen, thing)} · Gatehouse`)
  return (
    <header className={classes['header']}>
      <ActionIcon
        id={menuButtonId}
        className={classes['narrowOnly'] ?? ''}
        variant="subtle"
        color="gray"
        size={34}
        onClick={onToggleMenu}
        aria-label="Menu"
        aria-expanded={isMenuOpen}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      <div className={classes['titles']}>
        <Title order={1} className={classes['title'] ?? ''}>
          Dashboard
        </Title>
        <Breadcrumb screen={screen} thing={thing} />
      </div>
      <SearchButton screens={screens} />
      <ShortcutsHelp />
      <HelpButton />
      <AlarmBell />
      <UserMenu />
    </header>
  )
}

interface BreadcrumbProps {
  screen: Screen | undefined
  thing: Thing | undefined
}

function Breadcrumb({ screen, thing }: BreadcrumbProps) {
  const can = useCan()
  const parent = screens.find(
    ({ paths, permission }) => paths[0] === screen?.parent && can(permission),
  )
  const { name, part, within } = thing ?? { name: screen?.title }
  return (
    <nav className={classes['crumbs']} aria-label="Breadcrumb">
      <ol>
        <Crumb to="/admin">Home</Crumb>
        {parent && <Crumb to={lastAddressOf(parent.paths[0])}>{parent.title}</Crumb>}
        {within && <Crumb to={within.to}>{within.name}</Crumb>}
        {part !== undefined && <li className={classes['thing']}>{name}</li>}
        {screen && !screen.paths.includes(paths.home) && (
          <li aria-current="page">{part ?? name}</li>
        )}
      </ol>
    </nav>
  )
}

function Crumb({ to, children }: { to: string; children: string }) {
  return (
    <li>
      <Anchor component={Link} to={to} size="sm">
        {children}
      </Anchor>
    </li>
  )
}

/** Among many windows the thing's name tells them apart, so it comes first. */
function windowTitle(screen: Screen | undefined, thing: Thing | undefined): string {
  const title = screen?.title ?? 'Not found'
  if (!thing) return title
  return thing.part === undefined ? thing.name : `${thing.name} · ${title}`
}
