import { Select, TextInput } from '@mantine/core'
import type { ReleaseCallers } from '@gatehouse/contract'
import { toChoices } from '../../../lib/format/to-choices.ts'
import { FormSection } from '../../../ui/form/form-section.tsx'
import type { WorkflowFormState } from '../workflow-form-values.ts'

export const callerWords: Record<ReleaseCallers, string> = {
  nobody: 'Nobody',
  agents: 'Agents',
  tokens: 'Agents and programs: every token',
}

/** Whose runs wait until a person has looked at them (spec: release). */
export function ReleaseFields({ form }: { form: WorkflowFormState }) {
  return (
    <FormSection
      title="Release by a person"
      description="A run that needs a release is stored and not sent. A person with the permission run.release, who is not the owner of its token, sees what would be sent, and releases or refuses it."
    >
      <Select
        label="Who needs a release"
        data={toChoices(callerWords)}
        allowDeselect={false}
        maw={420}
        {...form.getInputProps('needs_release')}
      />
      {form.values.needs_release !== 'nobody' && (
        <TextInput
          label="Hours until it expires"
          description="A run that nobody has released by then is cancelled."
          inputMode="numeric"
          maw={420}
          {...form.getInputProps('release_hours')}
        />
      )}
    </FormSection>
  )
}
