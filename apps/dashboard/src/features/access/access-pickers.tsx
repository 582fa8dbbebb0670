import { useMemo, type ReactNode } from 'react'
import type { AccessEndpoint, AccessWorkflow } from '@gatehouse/contract'
import { FormCard } from '../../ui/form-card.tsx'
import { endpointChoices, workflowChoices } from './access-choices.ts'
import { AccessPicker } from './access-picker.tsx'

interface AccessPickersProps {
  data: { endpoints: readonly AccessEndpoint[]; workflows: readonly AccessWorkflow[] }
  /** The chosen ids as text. */
  values: { endpoints: readonly string[]; workflows: readonly string[] }
  onChange?: (field: 'endpoints' | 'workflows', value: string[]) => void
  errors?: Readonly<Record<string, ReactNode>>
  isDisabled?: boolean
}

/** The endpoints and the workflows of a role. Without a workflow there is nothing to choose. */
export function AccessPickers(props: AccessPickersProps) {
  const { data, values, onChange = () => undefined, errors = {}, isDisabled = false } = props
  const endpoints = useMemo(() => endpointChoices(data.endpoints), [data.endpoints])
  const workflows = useMemo(() => workflowChoices(data.workflows), [data.workflows])
  return (
    <>
      <FormCard title="Access">
        <AccessPicker
          label="Assign Access"
          description="Search by name, path, method or API. Chosen endpoints carry a tick."
          noun="endpoints"
          choices={endpoints}
          value={values.endpoints}
          onChange={(value) => onChange('endpoints', value)}
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
            onChange={(value) => onChange('workflows', value)}
            error={errors['workflows']}
            isDisabled={isDisabled}
          />
        </FormCard>
      )}
    </>
  )
}
