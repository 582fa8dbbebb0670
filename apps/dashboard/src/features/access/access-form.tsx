import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import type { Answer } from '../../lib/call.ts'
import { paths } from '../../entities/paths.ts'
import { useSaveForm } from '../../lib/use-save-form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { FormFrame } from '../../ui/form-frame.tsx'
import { accessMessages } from './access-messages.ts'
import { AccessPreview } from './access-preview.tsx'
import { useUpdateAccess } from './access-queries.ts'
import { EndpointPicker } from './endpoint-picker.tsx'

export type AccessFormData = Answer<'GET /api/api-permission/:id/edit'>

interface AccessFormProps {
  data: AccessFormData
  onReload: () => void
}

/** Before it is saved, what the edit opens and closes (spec: access-edit). */
export function AccessForm({ data, onReload }: AccessFormProps) {
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
