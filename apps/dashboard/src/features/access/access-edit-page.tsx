import { Alert, Stack } from '@mantine/core'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { IconLock } from '@tabler/icons-react'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { Page } from '../../ui/page/page.tsx'
import type { Answer } from '../../lib/calls/call.ts'
import { paths } from '../../entities/paths.ts'
import { useSaveForm } from '../../lib/forms/use-save-form.ts'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { accessMessages } from './access-messages.ts'
import { accessQueries, useUpdateAccess } from './access-queries.ts'
import { AccessPickers, type AccessValues } from './access-pickers.tsx'
import { AccessPreview } from './access-preview.tsx'
import { noEdit, toDifference } from './endpoint-edit.ts'

/** Users who can't edit see a locked form (spec: access-edit). */
export function AccessEditPage() {
  const id = useRecordId()
  const query = useQuery(accessQueries.edit(id))
  // The tree of the form, which does not wait for the rest of it.
  usePrefetchQuery(accessQueries.apis(id, ''))
  useThingName(query.data?.role.name, { part: 'Edit Role Access' })
  const canEdit = useCan()('api-permission.edit')
  return (
    <Page
      title="Edit Role Access"
      subtitle={query.data && `What the role ${query.data.role.name} may call`}
      actions={<HistoryLink thing="access" id={id} />}
    >
      <FormLoader
        query={query}
        failureText={accessMessages.notLoaded}
        thing={{ thing: 'access', id }}
      >
        {(data) => {
          const locked = canEdit ? data.locked : 'You may look at access, not edit it.'
          return locked === null ? (
            <AccessForm data={data} />
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
      <AccessPickers data={data} values={valuesOf(data)} isDisabled />
    </Stack>
  )
}

type AccessFormData = Answer<'GET /api/api-permission/:id/edit'>

const valuesOf = ({ selected_workflows }: AccessFormData): AccessValues => ({
  endpoints: noEdit,
  workflows: selected_workflows.map(({ id }) => String(id)),
})

const chosenOf = ({ endpoints, workflows }: AccessValues, hasWorkflows: boolean) => ({
  difference: toDifference(endpoints),
  ...(hasWorkflows ? { workflows: workflows.map(Number) } : {}),
})

/** Before it is saved, what the edit opens and closes (spec: access-edit). */
function AccessForm({ data }: { data: AccessFormData }) {
  const { role, version, workflows } = data
  const initialValues = valuesOf(data)
  const form = useForm<AccessValues>({ mode: 'controlled', initialValues })
  const hasWorkflows = workflows.length > 0
  const chosen = useMemo(() => chosenOf(form.values, hasWorkflows), [form.values, hasWorkflows])
  const update = useUpdateAccess(role.id)
  const saving = useSaveForm({
    form,
    initialValues,
    save: (values) => update({ ...chosenOf(values, hasWorkflows), version }),
    texts: accessMessages,
  })
  return (
    <FormFrame saving={saving} submitLabel="Update Access" cancelPath={paths.access}>
      <AccessPickers
        data={data}
        values={form.values}
        onChange={(changes) => form.setValues(changes)}
        errors={form.errors}
      />
      {form.isDirty() && !saving.isBusy && <AccessPreview roleId={role.id} chosen={chosen} />}
    </FormFrame>
  )
}
