import { Button } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { useCan } from '../../lib/session/session.tsx'

/** Takes what was typed along, as the steps of a new workflow. Tokens stay behind. */
export function SaveAsWorkflow({ bundle }: { bundle: object }) {
  const can = useCan()
  if (!can('workflow.create')) return null
  return (
    <Button
      component={Link}
      to={paths.workflowCreate}
      state={{ bundle }}
      variant="default"
      leftSection={<IconSitemap size={16} aria-hidden />}
    >
      Save as workflow
    </Button>
  )
}
