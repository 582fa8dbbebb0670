import { ActionIcon, Anchor, Title } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { AlarmBell } from '../../features/alarms/alarm-bell.tsx'
import { HelpButton } from '../../features/help/help-button.tsx'
import { SearchButton } from '../../features/search/search-button.tsx'
import { lastAddressOf } from '../../lib/last-address.ts'
import { useCan } from '../../lib/session.tsx'
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
  const can = useCan()
  const parent = screens.find(
    ({ paths, permission }) => paths[0] === screen?.parent && can(permission),
  )
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
        <nav className={classes['crumbs']} aria-label="Breadcrumb">
          <ol>
            <li>
              <Anchor component={Link} to="/admin" size="sm">
                Home
              </Anchor>
            </li>
            {parent && (
              <li>
                <Anchor component={Link} to={lastAddressOf(parent.paths[0])} size="sm">
                  {parent.title}
                </Anchor>
              </li>
            )}
            {screen && screen.title !== 'Dashboard' && <li aria-current="page">{screen.title}</li>}
          </ol>
        </nav>
      </div>
      <SearchButton screens={screens} />
      <ShortcutsHelp />
      <HelpButton />
      <AlarmBell />
      <UserMenu />
    </header>
  )
}
