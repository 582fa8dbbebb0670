import { Button, Group } from '@mantine/core'
import { useId, useState } from 'react'
import { FormCard } from '../../ui/form-card.tsx'
import type { EndpointFormState } from './endpoint-form-values.ts'
import { defaultRunSettingsDraft, isSameRunSettings } from './run-settings-draft.ts'
import { RunSettingsFields } from './run-settings-fields.tsx'
import { summarizeRunSettings } from './run-settings-summary.ts'

/**
 * How tax and credit runs treat the endpoint. One line while it says nothing of its own; opened by
 * hand, and by a message that belongs to one of its fields.
 */
export function RunSettingsCard({ form }: { form: EndpointFormState }) {
  const fieldsId = useId()
  const draft = form.values.run_settings
  const [isOpened, setIsOpened] = useState(() => !isSameRunSettings(draft, defaultRunSettingsDraft))
  const hasErrors = Object.keys(form.errors).some((field) => field.startsWith('run_settings'))
  const isOpen = isOpened || hasErrors
  return (
    <FormCard title="Tax and credit runs" description={summarizeRunSettings(draft)}>
      <Group>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-controls={fieldsId}
          disabled={hasErrors}
          onClick={() => setIsOpened(!isOpen)}
        >
          {isOpen ? 'Hide these settings' : 'Change these settings'}
        </Button>
      </Group>
      <div id={fieldsId} hidden={!isOpen}>
        {isOpen && <RunSettingsFields form={form} />}
      </div>
    </FormCard>
  )
}
