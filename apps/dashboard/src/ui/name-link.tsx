import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './name-link.module.css'

interface NameLinkProps {
  /** Absent where the user may not open the record. */
  to: string | undefined
  children: ReactNode
}

/** The name of a record in a list; it leads to the record. */
export function NameLink({ to, children }: NameLinkProps) {
  if (to === undefined)
    return (
      <Text span size="sm" fw={600}>
        {children}
      </Text>
    )
  return (
    <Anchor component={Link} to={to} size="sm" className={classes['name'] ?? ''}>
      {children}
    </Anchor>
  )
}
