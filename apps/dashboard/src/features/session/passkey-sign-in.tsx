import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../lib/calls/call.ts'
import { passkeyMessage, passkeyTrouble, signWithPasskey } from '../../lib/session/passkeys.ts'
import { useEnter } from '../../lib/session/session.tsx'

interface PasskeySignInProps {
  /** The one at which passkeys work. */
  origin: string | null
  /** Only this user is meant. */
  userId?: number
}

/** Sign-in with a passkey, without a user name. */
export function PasskeySignIn({ origin, userId }: PasskeySignInProps) {
  const enter = useEnter()
  const [failure, setFailure] = useState<string>()
  const [isWaiting, setIsWaiting] = useState(false)
  const trouble = passkeyTrouble(origin)

  async function handleClick() {
    setIsWaiting(true)
    setFailure(undefined)
    try {
      const credential = await signWithPasskey(await call('POST /api/login/passkey/begin'))
      const answer = await call('POST /api/login/passkey', { body: { credential } })
      if (userId === undefined || answer.user.id === userId) enter(answer)
      else {
        setFailure('This passkey is another user’s.')
        await endSession(answer.token)
      }
    } catch (error) {
      setFailure(passkeyMessage(error))
    } finally {
      setIsWaiting(false)
    }
  }

  if (trouble)
    return (
      <Text size="sm" c="dimmed" ta="center">
        {trouble}
      </Text>
    )
  return (
    <Stack gap="md">
      {failure !== undefined && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <Button variant="default" fullWidth loading={isWaiting} onClick={() => void handleClick()}>
        Sign in with a passkey
      </Button>
    </Stack>
  )
}

/** Ends a session that this browser has not taken. Where that fails, nobody has kept its token. */
async function endSession(token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  await call('POST /api/logout', { headers }).catch(() => undefined)
}
