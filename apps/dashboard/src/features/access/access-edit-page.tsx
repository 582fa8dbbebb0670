import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconLock } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { useCan } from '../../lib/session.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { FormLoader } from '../../ui/form-loader.tsx'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { Page } from '../../ui/page.tsx'
import { AccessForm, type AccessFormData } from './access-form.tsx'
import { accessMessages } from './access-messages.ts'
import { accessQueries } from './access-queries.ts'
import { EndpointPicker } from './endpoint-picker.tsx'

/** Who may not edit it may look (spec: access-edit). */
export function AccessEditPage() {
  const id = Number(useParams()['id'])
  const query = useQuery(accessQueries.edit(id))
  const canEdit = useCan()('api-permission.edit')
  return (
    <Page
      title="Edit Role Access"
      subtitle={query.data && `Endpoints that the role ${query.data.role.name} may call`}
      actions={<HistoryLink thing="access" id={id} />}
      isNarrow
    >
      <FormLoader query={query} failureText={accessMessages.notLoaded}>
        {(data, reload) => {
          const locked = canEdit ? data.locked : 'You may look at access, not edit it.'
          return locked === null ? (
            <AccessForm data={data} onReload={reload} />
          ) : (
            <LockedAccess data={data} reason={locked} />
          )
        }}
      </FormLoader>
    </Page>
  )
}

function LockedAccess({ data, reason }: { data: AccessFormData; reason: string }) {
  return (
    <Stack gap="md">
      <Alert color="gray" icon={<IconLock size={18} />}>
        {reason}
      </Alert>
      <FormCard title="Access">
        <EndpointPicker
          label="Assign Access"
          endpoints={data.endpoints}
          value={data.selected.map(({ id }) => String(id))}
          onChange={() => undefined}
          isDisabled
        />
      </FormCard>
    </Stack>
  )
}
