import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { passkeyMessage, passkeyTrouble, signWithPasskey } from '../../lib/passkeys.ts'
import { useEnter } from '../../lib/session.tsx'

/** Sign-in with a passkey, without a user name; `origin` is the one at which passkeys work. */
export function PasskeySignIn({ origin }: { origin: string | null }) {
  const enter = useEnter()
  const [failure, setFailure] = useState<unknown>()
  const [isWaiting, setIsWaiting] = useState(false)
  const trouble = passkeyTrouble(origin)

  async function handleClick() {
    setIsWaiting(true)
    setFailure(undefined)
    try {
      const credential = await signWithPasskey(await call('POST /api/login/passkey/begin'))
      enter(await call('POST /api/login/passkey', { body: { credential } }))
    } catch (error) {
      setFailure(error)
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
          {passkeyMessage(failure)}
        </Alert>
      )}
      <Button variant="default" fullWidth loading={isWaiting} onClick={() => void handleClick()}>
        Sign in with a passkey
      </Button>
    </Stack>
  )
}
