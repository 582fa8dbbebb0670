import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { call } from '../../lib/calls/call.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { SignOn } from './sign-on.tsx'

const PasskeySignIn = lazyPart(async () => (await import('./passkey-sign-in.tsx')).PasskeySignIn)

/** Whose answer it is: a refusal makes the page forget those of every user. */
const nobody = null

const useOffer = () =>
  useQuery({
    queryKey: ['sign-on-offer', nobody],
    queryFn: ({ signal }) => call('GET /api/sign-on/offer', { signal }),
    retry: false,
  }).data

/** Beside the password over a form: whatever leads to another page would lose what was typed. */
export function PasskeyOffer({ userId }: { userId: number }) {
  const passkeys = useOffer()?.passkeys
  return passkeys && <PasskeySignIn {...passkeys} userId={userId} />
}

/** What the login page offers beside the password, where the server has it. */
export function LoginOffers() {
  const data = useOffer()
  return (
    <>
      {data?.resets_passwords && (
        <Button component={Link} to={paths.passwordForgotten} variant="subtle" fullWidth mt="xs">
          Forgot your password?
        </Button>
      )}
      {(data?.name || data?.passkeys) && (
        <Stack gap="md" mt="md">
          <Text size="sm" c="dimmed" ta="center">
            or
          </Text>
          {data.passkeys && <PasskeySignIn {...data.passkeys} />}
          {data.name && <SignOn name={data.name} />}
        </Stack>
      )}
    </>
  )
}
