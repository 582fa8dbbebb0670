import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

/** A number that leads to what it counts; `to` is null where the user may not see that. */
export function NumberLink({ to, children }: { to: string | null; children: string }) {
  if (to === null) return children
  return (
    <Anchor component={Link} to={to} inherit c="inherit">
      {children}
    </Anchor>
  )
}
