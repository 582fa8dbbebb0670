import { Button, VisuallyHidden } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useCan } from '../lib/session/session.tsx'
import { requestsAddress, type RequestsFilter } from './requests-address.ts'

interface RequestsLinkProps {
  filter: RequestsFilter
  /** What the requests are of, for screen readers: `this endpoint`. */
  of: string
}

/** Leads to the requests that the gateway had for something. For users who may see logs. */
export function RequestsLink({ filter, of }: RequestsLinkProps) {
  const can = useCan()
  if (!can('log.view')) return null
  return (
    <Button
      component={Link}
      to={requestsAddress(filter)}
      variant="default"
      leftSection={<IconListSearch size={16} />}
    >
      Requests<VisuallyHidden> of {of}</VisuallyHidden>
    </Button>
  )
}
