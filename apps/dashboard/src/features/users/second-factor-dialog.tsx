import { Alert, Button, Group, Stack } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import type { SecondFactorSetup } from '@gatehouse/contract'
import { AuthenticatorSetup } from '../../entities/second-factor/authenticator-setup.tsx'
import { CodeField } from '../../entities/second-factor/code-field.tsx'
import { RecoveryCodeList } from '../../entities/second-factor/recovery-code-list.tsx'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { useFieldErrors } from '../../lib/use-field-errors.ts'
import { DialogFrame } from '../../ui/dialog-frame.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useSecondFactorCalls } from './account-queries.ts'
import { usersMessages } from './users-messages.ts'

export type SecondFactorTask = 'set-up' | 'codes' | 'turn-off'

interface SecondFactorDialogProps {
  task: SecondFactorTask
  onClose: () => void
}

/** Sets the second factor up, renews the recovery codes or turns it off, each after the password. */
export function SecondFactorDialog({ task, onClose }: SecondFactorDialogProps) {
  const calls = useSecondFactorCalls()
  const [setup, setSetup] = useState<SecondFactorSetup>()
  const [codes, setCodes] = useState<string[]>()
  const { title, confirm, done } = usersMessages.secondFactor[task]

  async function send({ password, code }: Given) {
    const given = { current_password: password, code }
    if (task === 'turn-off') {
      await calls.remove.mutateAsync(given)
      notifySuccess(done)
      onClose()
    } else if (task === 'codes') setCodes(await calls.renew.mutateAsync(given))
    else if (setup) setCodes(await calls.confirm.mutateAsync(code))
    else setSetup(await calls.begin.mutateAsync(password))
  }

  function handleClose() {
    if (codes) notifySuccess(done)
    onClose()
  }

  return (
    <DialogFrame isOpen title={title} onClose={handleClose} width={480}>
      {codes ? (
        <RecoveryCodeList codes={codes} onDone={handleClose} />
      ) : (
        <>
          {setup && <AuthenticatorSetup setup={setup} />}
          <ProofForm
            // Each step begins with blank fields.
            key={setup ? 'code' : 'password'}
            asksForPassword={!setup}
            asksForCode={task !== 'set-up' || setup !== undefined}
            submitLabel={task === 'set-up' && !setup ? 'Continue' : confirm}
            isDanger={task === 'turn-off'}
            send={send}
            onCancel={onClose}
          />
        </>
      )}
    </DialogFrame>
  )
}

interface Given {
  password: string
  code: string
}

interface ProofFormProps {
  asksForPassword: boolean
  asksForCode: boolean
  submitLabel: string
  isDanger: boolean
  send: (given: Given) => Promise<void>
  onCancel: () => void
}

function ProofForm(props: ProofFormProps) {
  const { asksForPassword, asksForCode, submitLabel, isDanger, send, onCancel } = props
  const [given, setGiven] = useState<Given>({ password: '', code: '' })
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
        {asksForCode && (
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
