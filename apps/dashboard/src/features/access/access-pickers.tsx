import { useMemo, type ReactNode } from 'react'
import type { Answer } from '../../lib/calls/call.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { workflowChoices } from './access-choices.ts'
import { AccessPicker } from './access-picker.tsx'
import { EndpointAccessPicker } from './endpoint-access-picker.tsx'
import type { EndpointEdit } from './endpoint-edit.ts'

type AccessFormData = Answer<'GET /api/api-permission/:id/edit'>

export interface AccessValues {
  [field: string]: EndpointEdit | string[]
  endpoints: EndpointEdit
  /** Ids as text. */
  workflows: string[]
}

interface AccessPickersProps {
  data: AccessFormData
  values: AccessValues
  onChange?: (changes: Partial<AccessValues>) => void
  errors?: Readonly<Record<string, ReactNode>>
  isDisabled?: boolean
}

/** The endpoints and the workflows of a role. Without a workflow there is nothing to choose. */
export function AccessPickers(props: AccessPickersProps) {
  const { data, values, onChange = () => undefined, errors = {}, isDisabled = false } = props
  const workflows = useMemo(() => workflowChoices(data.workflows), [data.workflows])
  return (
    <>
      <FormCard title="Access">
        <EndpointAccessPicker
          label="Assign Access"
          description="Search by name, path, method or API. The box of an API covers all its endpoints."
          roleId={data.role.id}
          held={{ endpoints: data.selected, count: data.selected_count }}
          edit={values.endpoints}
          onChange={(endpoints) => onChange({ endpoints })}
          error={errors['endpoints']}
          isDisabled={isDisabled}
        />
      </FormCard>
      {workflows.length > 0 && (
        <FormCard title="Workflows">
          <AccessPicker
            label="Assign Workflows"
            description="Personal tokens of the role’s users start runs of these. People who are signed in need the permission workflow.run."
            noun="workflows"
            choices={workflows}
            value={values.workflows}
            onChange={(value) => onChange({ workflows: value })}
            error={errors['workflows']}
            isDisabled={isDisabled}
          />
        </FormCard>
      )}
    </>
  )
}
