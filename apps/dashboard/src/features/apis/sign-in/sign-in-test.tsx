import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconKey } from '@tabler/icons-react'
import { useId } from 'react'
import type { SignInResult } from '@gatehouse/contract'
import { signInStateWords } from '../../../entities/api/sign-in-words.ts'
import { reasonOf } from '../../../lib/calls/call-error.ts'
import { Moment } from '../../../ui/text/moment.tsx'
import { apiQueries, useTestSignIn, type SignInPlace } from '../api-queries.ts'

interface SignInTestProps {
  /** Undefined while the API is new. */
  apiId: number | undefined
  which: SignInPlace
  /** The form differs from what is saved, and the test uses what is saved. */
  isChanged: boolean
}

/** The state of an API's sign-in, and a button that signs in now, with what is saved. */
export function SignInTest({ apiId, which, isChanged }: SignInTestProps) {
  return apiId === undefined ? <TestBlocked /> : <SavedTest {...{ apiId, which, isChanged }} />
}

const buttonLook = {
  variant: 'default',
  leftSection: <IconKey size={16} aria-hidden />,
} as const

/** Says why nothing can be tested yet. */
function TestBlocked() {
  const reasonId = useId()
  return (
    <Group gap="sm">
      <Button {...buttonLook} disabled aria-describedby={reasonId}>
        Test sign-in
      </Button>
      <Text id={reasonId} size="sm" c="dimmed">
        Save first: the test uses what is saved.
      </Text>
    </Group>
  )
}

function SavedTest({ apiId, which, isChanged }: SignInTestProps & { apiId: number }) {
  const trial = useTestSignIn(apiId, which)
  return (
    <>
      {isChanged ? (
        <TestBlocked />
      ) : (
        <Group gap="sm">
          <Button {...buttonLook} loading={trial.isPending} onClick={() => trial.mutate()}>
            Test sign-in
          </Button>
          <SignInStateLine apiId={apiId} which={which} />
        </Group>
      )}
      <div aria-live="polite">
        {trial.isError && (
          <Alert color="red" title="The sign-in failed">
            {reasonOf(trial.error)}
          </Alert>
        )}
        {trial.isSuccess && <Result result={trial.data} />}
      </div>
    </>
  )
}

function Result({ result: { ok, message, expires_at, scope } }: { result: SignInResult }) {
  return (
    <Alert color={ok ? 'green' : 'red'} title={ok ? 'Signed in' : 'The sign-in failed'}>
      {message}{' '}
      {expires_at !== null && (
        <>
          The token is valid until <Moment at={expires_at} />.{' '}
        </>
      )}
      {scope !== '' && <>Scope: {scope}</>}
    </Alert>
  )
}

function SignInStateLine({ apiId, which }: { apiId: number; which: SignInPlace }) {
  const { data } = useQuery(apiQueries.signIn(apiId, which))
  if (!data || data.state === 'none') return null
  const { text, color } = signInStateWords[data.state]
  return (
    <Group gap="xs">
      <Badge color={color}>{text}</Badge>
      {data.state === 'valid' && data.expires_at !== null && (
        <Text size="sm" c="dimmed">
          until <Moment at={data.expires_at} />
        </Text>
      )}
      {data.refresh_token && (
        <Text size="sm" c="dimmed">
          refresh token until <Moment at={data.refresh_token.expires_at} />
        </Text>
      )}
      {data.state === 'refused' && (
        <Text size="sm" c="dimmed">
          {data.message}
        </Text>
      )}
    </Group>
  )
}
