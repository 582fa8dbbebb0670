import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useState, type SubmitEvent } from 'react'
import { call } from '../../lib/calls/call.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { PasswordPageFrame } from './password-page-frame.tsx'

/** Asks for a link by e-mail. What follows is the same for users and for nobody. */
export function PasswordForgottenPage() {
  useDocumentTitle('Forgot your password? · Gatehouse')
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: () => call('POST /api/password-reset', { body: { email } }),
  })

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    ask.mutate()
  }

  return (
    <PasswordPageFrame text="Forgot your password?">
      {ask.isSuccess ? (
        <Stack gap="sm" component="output">
          <Text size="sm">
            If there is a user with this address, a link is on its way to it. It counts once, within
            30 minutes.
          </Text>
          <Text size="sm" c="dimmed">
            Nothing has come? Look among unwanted mail, or ask an administrator.
          </Text>
        </Stack>
      ) : (
        <form onSubmit={handleSubmit}>
          <Stack gap="md">
            <Text size="sm">You get a link by e-mail, by which you choose a new password.</Text>
            {ask.isError && (
              <Alert color="red" role="alert">
                {messageOf(ask.error)}
              </Alert>
            )}
            <TextInput
              label="E-Mail Address"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Button type="submit" fullWidth loading={ask.isPending}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </PasswordPageFrame>
  )
}
