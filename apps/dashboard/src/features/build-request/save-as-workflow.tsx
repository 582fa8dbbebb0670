import { Button } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { Link } from 'react-router'
import { toWireRows } from '../../entities/mapping/mapping-form.ts'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session.tsx'
import type { KeptForm } from './kept-form.ts'

/** Takes both requests along, as the two steps of a new workflow. Tokens stay behind. */
export function SaveAsWorkflow({ form }: { form: KeptForm }) {
  const can = useCan()
  if (!can('workflow.create')) return null
  const steps = [
    { endpoint: form.getEndpoint, body: form.getBody },
    { endpoint: form.sendEndpoint, body: form.sendBody, rows: toWireRows(form.rows) },
  ]
  return (
    <Button
      component={Link}
      to={paths.workflowCreate}
      state={{ bundle: { kind: 'general', steps } }}
      variant="default"
      leftSection={<IconSitemap size={16} aria-hidden />}
    >
      Save as workflow
    </Button>
  )
}
