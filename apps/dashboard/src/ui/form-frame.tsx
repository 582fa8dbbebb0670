import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { Link, useBlocker } from 'react-router'
import { lastAddressOf } from '../lib/last-address.ts'
import { useUnsaved } from '../lib/unsaved.ts'
import type { FormSaving } from '../lib/use-save-form.ts'
import { useFormHold } from './form-hold.ts'
import { UnresolvedFields, useHasUnresolved } from './unresolved.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

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
  useUnsaved(saving.isUnsaved)
  return (
    <UnresolvedFields>
      <form ref={attachForm} onSubmit={handleSubmit} noValidate autoComplete="off">
        <Stack gap="md">
          {children}
          {saving.strayErrors.length > 0 && <StrayErrors messages={saving.strayErrors} />}
          {saving.hasConflict && <Conflict onReload={onReload} />}
          <Group gap="sm">
            <SubmitButton saving={saving} label={submitLabel} />
            <Button component={Link} to={lastAddressOf(cancelPath)} variant="default">
              Cancel
            </Button>
          </Group>
        </Stack>
        <UnsavedGuard isUnsaved={saving.isUnsaved} />
      </form>
    </UnresolvedFields>
  )
}

function SubmitButton({ saving, label }: { saving: FormSaving; label: string }) {
  const hasUnresolved = useHasUnresolved()
  return (
    <Button type="submit" loading={saving.isSaving} disabled={saving.isBusy || hasUnresolved}>
      {label}
    </Button>
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

/** Asks before unsaved changes of a form are lost, through a link or by closing the window. */
function UnsavedGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isUnsaved) return undefined
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', handleUnload)
    return () => window.removeEventListener('beforeunload', handleUnload)
  }, [isUnsaved])

  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <Text size="sm">What you changed in this form has not been saved and will be lost.</Text>
    </ConfirmDialog>
  )
}
