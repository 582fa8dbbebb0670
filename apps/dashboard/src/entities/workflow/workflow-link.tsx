import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useCan } from '../../lib/session/session.tsx'
import { paths } from '../paths.ts'

/** Names a workflow; a link to its screen for users who may view workflows. */
export function WorkflowLink({ id, name }: { id: number; name: string }) {
  const can = useCan()
  if (!can('workflow.view')) return name
  return (
    <Anchor component={Link} to={paths.workflow(id)} inherit c="inherit" underline="always">
      {name}
    </Anchor>
  )
}
