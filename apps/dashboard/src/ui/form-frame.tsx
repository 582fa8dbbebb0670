import { Alert, Button, Group, List, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { FormSaving } from '../lib/use-save-form.ts'
import { useFormHold } from './form-hold.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'

interface FormFrameProps {
  saving: FormSaving
  submitLabel: string
  cancelPath: string
  /** Loads the record again after another user has changed it. */
  onReload?: (() => void) | undefined
  children: ReactNode
}

/** Everything around the fields of a form: buttons, conflict, stray messages, unsaved changes. */
export function FormFrame({ saving, submitLabel, cancelPath, onReload, children }: FormFrameProps) {
  const { attachForm, handleSubmit } = saving
  // A saved form must not be reset before the list replaces it.
  useFormHold(saving.isUnsaved || saving.isBusy)
  return (
    <form ref={attachForm} onSubmit={handleSubmit} noValidate autoComplete="off">
      <Stack gap="md">
        {children}
        {saving.strayErrors.length > 0 && <StrayErrors messages={saving.strayErrors} />}
        {saving.hasConflict && <Conflict onReload={onReload} />}
        <Group gap="sm">
          <Button type="submit" loading={saving.isSaving} disabled={saving.isBusy}>
            {submitLabel}
          </Button>
          <Button component={Link} to={cancelPath} variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
      <UnsavedGuard isUnsaved={saving.isUnsaved} />
    </form>
  )
}

function StrayErrors({ messages }: { messages: string[] }) {
  return (
    <Alert color="red" role="alert">
      <List size="sm" listStyleType="none">
        {messages.map((message) => (
          <List.Item key={message}>{message}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Conflict({ onReload }: { onReload?: (() => void) | undefined }) {
  return (
    <Alert color="orange" role="alert" title="Another user has changed this record">
      <Stack gap="sm" align="flex-start">
        <span>
          Your changes were not saved. Reload to see what it holds now; what you typed here is lost.
        </span>
        <Button size="xs" variant="default" onClick={onReload}>
          Reload
        </Button>
      </Stack>
    </Alert>
  )
}
