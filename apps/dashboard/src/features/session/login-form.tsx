import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { useLogin } from '../../lib/session.tsx'

/** E-mail and password. With `email`, only that user is meant. */
export function LoginForm({ email }: { email?: string }) {
  const login = useLogin()
  const [failure, setFailure] = useState<unknown>()
  const [isWaiting, setIsWaiting] = useState(false)
  const fields = failure instanceof CallError ? firstMessages(failure.errors) : {}

  async function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const textOf = (name: string) => {
      const value = typed.get(name)
      return typeof value === 'string' ? value : ''
    }
    setIsWaiting(true)
    try {
      await login({ email: textOf('email'), password: textOf('password') })
    } catch (error) {
      setFailure(error)
    } finally {
      setIsWaiting(false)
    }
  }

  return (
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
  )
}
