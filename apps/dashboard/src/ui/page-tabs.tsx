import { Anchor } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import classes from './page-tabs.module.css'

export interface PageTab {
  label: string
  path: string
}

interface PageTabsProps {
  /** Names the group for screen readers. */
  label: string
  tabs: readonly PageTab[]
}

/** The parts of a screen, each with an address of its own. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const { pathname } = useLocation()
  if (tabs.length === 0) return null
  return (
    <nav className={classes['tabs']} aria-label={label}>
      {tabs.map((tab) => (
        <Anchor
          key={tab.path}
          component={Link}
          to={tab.path}
          underline="never"
          className={classes['tab'] ?? ''}
          {...(tab.path === pathname ? { 'aria-current': 'page' as const } : {})}
        >
          {tab.label}
        </Anchor>
      ))}
    </nav>
  )
}
