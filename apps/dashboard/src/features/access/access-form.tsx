import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import type { Answer } from '../../lib/call.ts'
import { call } from '../../lib/call.ts'
import { paths } from '../../entities/paths.ts'
import { useSaveForm } from '../../lib/use-save-form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { FormFrame } from '../../ui/form-frame.tsx'
import { accessMessages } from './access-messages.ts'
import { AccessPreview } from './access-preview.tsx'
import { EndpointPicker } from './endpoint-picker.tsx'

export type AccessFormData = Answer<'GET /api/api-permission/:id/edit'>

/** Before it is saved, what the edit opens and closes (spec: access-edit). */
export function AccessForm({ data }: { data: AccessFormData }) {
  const { role, endpoints, selected } = data
  const form = useForm<{ [field: string]: string[]; endpoints: string[] }>({
    mode: 'controlled',
    initialValues: { endpoints: selected.map(({ id }) => String(id)) },
  })
  const ids = useMemo(() => form.values.endpoints.map(Number), [form.values.endpoints])
  const saving = useSaveForm({
    form,
    save: () =>
      call('PUT /api/api-permission/:id/update', {
        params: { id: role.id },
        body: { endpoints: ids },
      }),
    texts: accessMessages,
    target: paths.access,
  })
  return (
    <FormFrame saving={saving} submitLabel="Update Access" cancelPath={paths.access}>
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
