import { Alert, Button, Group, Stack } from '@mantine/core'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { CodeField } from '../../entities/second-factor/code-field.tsx'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { useFieldErrors } from '../../lib/forms/use-field-errors.ts'
import { PasswordField } from '../../ui/form/password-field.tsx'

/** What a user shows who changes how they sign in. */
export interface Proof {
  password: string
  code: string
}

interface ProofFormProps {
  asksForPassword: boolean
  /** What stands above them. */
  children?: (errors: Record<string, string>) => ReactNode
  asksForCode: boolean
  submitLabel: string
  isDanger: boolean
  send: (given: Proof) => Promise<void>
  onCancel: () => void
}

/** Asks for the password, for a code, or for both. */
export function ProofForm(props: ProofFormProps) {
  const { asksForPassword, asksForCode, submitLabel, isDanger, send, onCancel } = props
  const [given, setGiven] = useState<Proof>({ password: '', code: '' })
  const [failure, setFailure] = useState<unknown>()
  const [isWorking, setIsWorking] = useState(false)
  const { errors, attachForm, showErrors, clearErrors } = useFieldErrors()
  const hasFieldErrors = failure instanceof CallError && failure.status === 422

  async function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    setIsWorking(true)
    setFailure(undefined)
    clearErrors()
    try {
      await send(given)
    } catch (error) {
      setFailure(error)
      showErrors(error)
    } finally {
      setIsWorking(false)
    }
  }

  return (
    <form ref={attachForm} noValidate onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="md">
        {failure !== undefined && !hasFieldErrors && (
          <Alert color="red" role="alert">
            {messageOf(failure)}
          </Alert>
        )}
        {props.children?.(errors)}
        {asksForPassword && (
          <PasswordField
            label="Current Password"
            autoComplete="current-password"
            data-autofocus
            value={given.password}
            onChange={(event) => setGiven({ ...given, password: event.currentTarget.value })}
            error={errors['current_password']}
          />
        )}
        {(asksForCode || errors['code'] !== undefined) && (
          <CodeField
            data-autofocus={!asksForPassword}
            value={given.code}
            onChange={(event) => setGiven({ ...given, code: event.currentTarget.value })}
            error={errors['code']}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isWorking} {...(isDanger ? { color: 'red' } : {})}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
