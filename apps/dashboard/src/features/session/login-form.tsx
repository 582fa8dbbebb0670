import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useLogin } from '../../lib/session/session.tsx'
import type { SecondStepProps } from './second-step.tsx'

const SecondStep = lazyPart(async () => (await import('./login-more.tsx')).SecondStep)

interface LoginFormProps {
  /** Only this user is meant. */
  email?: string
  /** Stands below the first step alone: a click on it would lose recovery codes, which are shown once. */
  children?: ReactNode
}

/** E-mail and password, then a code where one is asked for. */
export function LoginForm({ email, children }: LoginFormProps) {
  const login = useLogin()
  const [failure, setFailure] = useState<unknown>()
  const [isWaiting, setIsWaiting] = useState(false)
  const [second, setSecond] = useState<Omit<SecondStepProps, 'onBack'>>()
  const fields = failure instanceof CallError ? firstMessages(failure.errors) : {}

  async function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const textOf = (name: string) => {
      const value = typed.get(name)
      return typeof value === 'string' ? value : ''
    }
    const credentials = { email: textOf('email'), password: textOf('password') }
    setIsWaiting(true)
    setFailure(undefined)
    try {
      await login(credentials)
    } catch (error) {
      if (!asksForCode(error)) setFailure(error)
      else
        setSecond({
          credentials,
          setup: error.details['second_factor'] as SecondStepProps['setup'],
        })
    } finally {
      setIsWaiting(false)
    }
  }

  if (second) return <SecondStep {...second} onBack={() => setSecond(undefined)} />
  return (
    <>
      <form onSubmit={(event) => void handleSubmit(event)}>
        <Stack gap="md">
          {failure !== undefined && Object.keys(fields).length === 0 && (
            <Alert color="red" role="alert">
              {messageOf(failure)}
            </Alert>
          )}
          <TextInput
            label="E-Mail Address"
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            error={fields['email']}
            {...(email === undefined ? {} : { value: email, readOnly: true })}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            error={fields['password']}
            data-autofocus={email !== undefined}
          />
          <Button type="submit" fullWidth mt="xs" loading={isWaiting}>
            Login
          </Button>
        </Stack>
      </form>
      {children}
    </>
  )
}

/** Of a sign-in whose password is right: a code is needed, or a second factor that is set up first. */
const asksForCode = (error: unknown): error is CallError =>
  error instanceof CallError && error.code.endsWith('_needed')
