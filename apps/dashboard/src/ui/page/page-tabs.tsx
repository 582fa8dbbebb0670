import { Anchor } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import classes from './page-tabs.module.css'

export interface PageTab {
  label: string
  path: string
  /** The one that is shown; by its address unless given. */
  isCurrent?: boolean
}

interface PageTabsProps {
  /** Names the group for screen readers. */
  label: string
  tabs: readonly PageTab[]
  /** Below other tabs. */
  isSmall?: boolean
}

/** The parts of a screen, each with an address of its own. */
export function PageTabs({ label, tabs, isSmall = false }: PageTabsProps) {
  const { pathname } = useLocation()
  if (tabs.length === 0) return null
  return (
    <nav className={classes['tabs']} data-small={isSmall || undefined} aria-label={label}>
      {tabs.map(({ label, path, isCurrent = path === pathname }) => (
        <Anchor
          key={path}
          component={Link}
          to={path}
          underline="never"
          className={classes['tab'] ?? ''}
          {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
        >
          {label}
        </Anchor>
      ))}
    </nav>
  )
}
