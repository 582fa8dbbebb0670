import { Button, Group, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { RecordList } from '../../ui/table/record-list.tsx'
import { useEndpointList } from './endpoint-list-page.tsx'
import { withReturn } from './return-to-api.ts'

const empty = {
  title: 'This API has no endpoints yet',
  hint: 'An endpoint is one path of it that may be called. Without one the gateway answers nothing here.',
}

/** The endpoints of one API on its page. Their forms lead back here. */
export function EndpointsOfApi({ apiId }: { apiId: number }) {
  const can = useCan()
  const list = useEndpointList(apiId)
  return (
    <Stack gap="sm">
      {can('endpoint.create') && (
        <Group justify="flex-end">
          <Button
            component={Link}
            to={withReturn(`${paths.endpointCreate}?api=${apiId}`, true)}
            leftSection={<IconPlus size={16} />}
          >
            Add endpoint
          </Button>
        </Group>
      )}
      <RecordList caption="Endpoints" {...list} empty={empty} />
    </Stack>
  )
}
