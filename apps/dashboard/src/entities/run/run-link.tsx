import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { useCan } from '../../lib/session/session.tsx'

/** Names a run; a link to its screen for users who may view runs. */
export function RunLink({ id }: { id: number }) {
  const can = useCan()
  if (!can('run.view')) return `run ${id}`
  return (
    <Anchor component={Link} to={paths.run(id)} inherit c="inherit" underline="always">
      run {id}
    </Anchor>
  )
}
