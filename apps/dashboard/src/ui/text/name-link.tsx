import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { opens } from '../table/open-row.ts'
import classes from './name-link.module.css'

interface NameLinkProps {
  /** Absent where the user may not open the record. */
  to: string | undefined
  children: ReactNode
}

/** The name of a record in a list; it leads to the record. In one element: a list has a hundred. */
export function NameLink({ to, children }: NameLinkProps) {
  if (to === undefined) return <span className={classes['name']}>{children}</span>
  return (
    <Link to={to} className={linkClass} {...opens}>
      {children}
    </Link>
  )
}

// The first gives it the library's focus ring.
const linkClass = `mantine-focus-auto ${classes['name']}`
