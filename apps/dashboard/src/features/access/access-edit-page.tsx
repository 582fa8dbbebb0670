import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconLock } from '@tabler/icons-react'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { useCan } from '../../lib/session.tsx'
import { useRecordId } from '../../lib/use-record-id.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { FormLoader } from '../../ui/form-loader.tsx'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { Page } from '../../ui/page.tsx'
import type { Answer } from '../../lib/call.ts'
import { paths } from '../../entities/paths.ts'
import { useSaveForm } from '../../lib/use-save-form.ts'
import { FormFrame } from '../../ui/form-frame.tsx'
import { accessMessages } from './access-messages.ts'
import { accessQueries, useUpdateAccess } from './access-queries.ts'
import { EndpointPicker } from './endpoint-picker.tsx'
import { AccessPreview } from './access-preview.tsx'

/** Users who can't edit see a locked form (spec: access-edit). */
export function AccessEditPage() {
  const id = useRecordId()
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

type AccessFormData = Answer<'GET /api/api-permission/:id/edit'>

/** Before it is saved, what the edit opens and closes (spec: access-edit). */
function AccessForm({ data, onReload }: { data: AccessFormData; onReload: () => void }) {
  const { role, endpoints, selected, version } = data
  const form = useForm<{ [field: string]: string[]; endpoints: string[] }>({
    mode: 'controlled',
    initialValues: { endpoints: selected.map(({ id }) => String(id)) },
  })
  const ids = useMemo(() => form.values.endpoints.map(Number), [form.values.endpoints])
  const update = useUpdateAccess(role.id)
  const saving = useSaveForm({
    form,
    save: () => update({ endpoints: ids, version }),
    texts: accessMessages,
    target: paths.access,
  })
  return (
    <FormFrame
      saving={saving}
      submitLabel="Update Access"
      cancelPath={paths.access}
      onReload={onReload}
    >
      <FormCard title="Access">
        <EndpointPicker
          label="Assign Access"
          endpoints={endpoints}
          value={form.values.endpoints}
          onChange={(value) => form.setFieldValue('endpoints', value)}
          error={form.errors['endpoints']}
        />
      </FormCard>
      {form.isDirty() && !saving.isBusy && <AccessPreview roleId={role.id} endpoints={ids} />}
    </FormFrame>
  )
}
