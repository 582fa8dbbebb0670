import { Anchor, AppShell, Burger, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { Screen } from '../screens.tsx'
import classes from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

interface ShellHeaderProps {
  screen: Screen | undefined
  isMenuOpen: boolean
  onToggleMenu: () => void
}

/** Title and breadcrumb as the spec has them (§2), then the current screen and the user's menu. */
export function ShellHeader({ screen, isMenuOpen, onToggleMenu }: ShellHeaderProps) {
  return (
    <AppShell.Header className={classes['header'] ?? ''}>
      <Burger
        hiddenFrom="sm"
        size="sm"
        opened={isMenuOpen}
        onClick={onToggleMenu}
        aria-label="Menu"
        aria-expanded={isMenuOpen}
      />
      <div className={classes['titles']}>
        <Title order={1}>Dashboard</Title>
        <nav className={classes['crumbs']} aria-label="Breadcrumb">
          <ol>
            <li>
              <Anchor component={Link} to="/admin" size="sm">
                Home
              </Anchor>
            </li>
            {screen && screen.title !== 'Dashboard' && <li aria-current="page">{screen.title}</li>}
          </ol>
        </nav>
      </div>
      <UserMenu />
    </AppShell.Header>
  )
}
