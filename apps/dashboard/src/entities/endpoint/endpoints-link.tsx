import { Button, VisuallyHidden } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useCan } from '../../lib/session.tsx'
import { paths } from '../paths.ts'

/** Leads from an API's screen to the list of its endpoints. */
export function EndpointsLink({ apiId }: { apiId: number }) {
  const can = useCan()
  if (!can('endpoint.view')) return null
  return (
    <Button
      component={Link}
      to={`${paths.endpoints}?api=${apiId}`}
      variant="default"
      leftSection={<IconRoute size={16} />}
    >
      Endpoints<VisuallyHidden> of this API</VisuallyHidden>
    </Button>
  )
}
