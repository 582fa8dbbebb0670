import { Button, VisuallyHidden } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { AuditThing } from '@gatehouse/contract'
import { paths } from '../paths.ts'
import { useCan } from '../../lib/session/session.tsx'

/** Leads from a record's screen to its history in the audit trail. */
export function HistoryLink({ thing, id }: { thing: AuditThing; id: number }) {
  const can = useCan()
  if (!can('audit.view')) return null
  return (
    <Button
      component={Link}
      to={`${paths.audit}?thing=${thing}&thing_id=${id}`}
      variant="default"
      leftSection={<IconHistory size={16} />}
    >
      History<VisuallyHidden> of this record</VisuallyHidden>
    </Button>
  )
}
