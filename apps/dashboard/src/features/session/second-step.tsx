import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import type { SecondFactorSetup } from '@gatehouse/contract'
import { AuthenticatorSetup } from '../../entities/second-factor/authenticator-setup.tsx'
import { CodeField } from '../../entities/second-factor/code-field.tsx'
import { RecoveryCodeList } from '../../entities/second-factor/recovery-code-list.tsx'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { useLogin, type Credentials } from '../../lib/session/session.tsx'

export interface SecondStepProps {
  /** The password is right: the same once more, with a code. */
  credentials: Credentials
  /** Where a role asks for a second factor that is not set up yet. */
  setup: SecondFactorSetup | undefined
  onBack: () => void
}

/** Asks for a code of the authenticator app, and sets the app up where that is still to be done. */
export function SecondStep({ credentials, setup, onBack }: SecondStepProps) {
  const login = useLogin()
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [isWaiting, setIsWaiting] = useState(false)
  const [shown, setShown] = useState<{ codes: string[]; goOn: () => void }>()

  async function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    setIsWaiting(true)
    setFailure(undefined)
    try {
      await login({ ...credentials, code }, (codes) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        setShown({ codes, goOn: resolve })
        return promise
      })
    } catch (error) {
      setFailure(error)
      setCode('')
    } finally {
      setIsWaiting(false)
    }
  }

  if (shown) return <RecoveryCodeList codes={shown.codes} onDone={shown.goOn} />
  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="md">
        {failure !== undefined && (
          <Alert color="red" role="alert">
            {messageOf(failure)}
          </Alert>
        )}
        {setup ? (
          <>
            <Text size="sm" fw={600}>
              Your role asks for a second factor.
            </Text>
            <AuthenticatorSetup setup={setup} />
          </>
        ) : (
          <Text size="sm">
            Enter the code that your authenticator app shows for Gatehouse, or a recovery code.
          </Text>
        )}
        <CodeField
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          required
          withAsterisk={false}
          ref={focusAtFirst}
          error={failure instanceof CallError ? failure.errors['code']?.[0] : undefined}
        />
        <Button type="submit" fullWidth loading={isWaiting}>
          Continue
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          Back
        </Button>
      </Stack>
    </form>
  )
}

/** The button that was focused before is gone. */
const focusAtFirst = (input: HTMLInputElement | null) => input?.focus()
