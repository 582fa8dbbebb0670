import { Alert, Button, Stack, Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type SubmitEvent } from 'react'
import { useLocation } from 'react-router'
import { call, type Answer } from '../../lib/calls/call.ts'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { PasswordPageFrame } from './password-page-frame.tsx'

type Found = Answer<'POST /api/password-link'>

/** Whose answer it is: a refusal makes the page forget those of every user. */
const nobody = null

/** Where a link by e-mail leads: one chooses a password. */
export function PasswordLinkPage() {
  useDocumentTitle('Choose a password · Gatehouse')
  const token = useToken()
  const link = useQuery({
    queryKey: ['password-link', nobody, token],
    queryFn: ({ signal }) => call('POST /api/password-link', { body: { token }, signal }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  })
  const [doneWith, setDoneWith] = useState<string>()
  return (
    <PasswordPageFrame
      text={link.data?.kind === 'invitation' ? 'Welcome' : 'Choose a new password'}
    >
      {doneWith === token ? (
        <Text size="sm" component="output">
          {link.data?.kind === 'invitation'
            ? 'Your password is set: sign in with it.'
            : 'Your password is set. All your earlier sessions have ended: sign in with it.'}
        </Text>
      ) : (
        link.data && (
          <PasswordForm
            key={token}
            token={token}
            found={link.data}
            onDone={() => setDoneWith(token)}
          />
        )
      )}
      {token === '' && <Text size="sm">Open the link of the e-mail once more.</Text>}
      {link.isError && (
        <Alert color="red" role="alert">
          {messageOf(link.error)}
        </Alert>
      )}
    </PasswordPageFrame>
  )
}

/** The secret does not stay in the history of the browser. */
function useToken(): string {
  const { hash } = useLocation()
  // The router still knows it, until another link is opened here.
  useEffect(() => {
    if (hash !== '') history.replaceState(history.state, '', location.pathname)
  }, [hash])
  return hash.slice(1)
}

interface PasswordFormProps {
  token: string
  found: Found
  onDone: () => void
}

function PasswordForm({ token, found, onDone }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const choose = useMutation({
    mutationFn: () =>
      call('POST /api/password-link/password', {
        body: { token, password, password_confirmation: again },
      }),
    onSuccess: onDone,
  })
  const problem =
    choose.error instanceof CallError ? choose.error.errors['password']?.[0] : undefined

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    choose.mutate()
  }

  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <Text size="sm">You choose the password of {found.email}.</Text>
        {choose.isError && problem === undefined && (
          <Alert color="red" role="alert">
            {messageOf(choose.error)}
          </Alert>
        )}
        {/* For password managers, which ask whose password it is. */}
        <input type="text" hidden autoComplete="username" value={found.email} readOnly />
        <PasswordField
          label="New Password"
          description="At least 12 characters."
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={problem}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={choose.isPending}>
          Save password
        </Button>
      </Stack>
    </form>
  )
}
