import { Alert, Button, Group, List, Stack } from '@mantine/core'
import type { ReactNode, RefObject, SubmitEventHandler } from 'react'
import { Link } from 'react-router'
import { UnsavedGuard } from './unsaved-guard.tsx'

interface FormFrameProps {
  /** What `useSaveForm` returned. */
  saving: {
    formRef: RefObject<HTMLFormElement | null>
    handleSubmit: SubmitEventHandler<HTMLFormElement>
    isBusy: boolean
    isSaving: boolean
    hasConflict: boolean
    isUnsaved: boolean
  }
  submitLabel: string
  cancelPath: string
  /** Messages for fields that this form does not show. */
  strayErrors: string[]
  /** Loads the record anew after somebody else has changed it. */
  onReload: () => void
  children: ReactNode
}

/** Everything around the fields of a form: buttons, conflict, stray messages, unsaved changes. */
export function FormFrame(props: FormFrameProps) {
  const { saving, strayErrors, children } = props
  return (
    <form ref={saving.formRef} onSubmit={saving.handleSubmit} noValidate autoComplete="off">
      <Stack gap="md">
        {children}
        {strayErrors.length > 0 && (
          <Alert color="red" role="alert">
            <List size="sm" listStyleType="none">
              {strayErrors.map((message) => (
                <List.Item key={message}>{message}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {saving.hasConflict && <Conflict onReload={props.onReload} />}
        <Group gap="sm">
          <Button type="submit" loading={saving.isSaving} disabled={saving.isBusy}>
            {props.submitLabel}
          </Button>
          <Button component={Link} to={props.cancelPath} variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
      <UnsavedGuard isUnsaved={saving.isUnsaved} />
    </form>
  )
}

function Conflict({ onReload }: { onReload: () => void }) {
  return (
    <Alert color="orange" role="alert" title="Somebody else has changed this record">
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
