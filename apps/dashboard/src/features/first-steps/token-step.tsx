import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { gatewayClientId } from '../../entities/user/protected-users.ts'
import { reasonOf } from '../../lib/call-error.ts'
import { useCan } from '../../lib/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { NotAllowed } from './api-steps.tsx'
import { useFirstToken } from './first-steps-queries.ts'

/** A token for the gateway client. `onToken` gets it, for the first call. */
export function TokenStep({ onToken }: { onToken: (token: string) => void }) {
  const can = useCan()
  const creation = useFirstToken(gatewayClientId, onToken)
  if (!can('token.create')) return <NotAllowed permission="token.create" />
  return (
    <div aria-live="polite">
      {creation.isSuccess ? (
        <>
          <Group gap="sm" mt="xs">
            <Code style={{ overflowWrap: 'anywhere' }}>{creation.data.token}</Code>
            <CopyButton text={creation.data.token} label="Copy" description="the new token" />
          </Group>
          <Text size="sm" mt={4}>
            Copy it now: it is shown this once. It calls the gateway as{' '}
            <b>{creation.data.user.name}</b>.
          </Text>
        </>
      ) : (
        <Button mt="xs" loading={creation.isPending} onClick={() => creation.mutate()}>
          Generate
        </Button>
      )}
      {creation.isError && (
        <Alert color="red" role="alert" mt="xs" title="Error generating token">
          {reasonOf(creation.error)}
        </Alert>
      )}
    </div>
  )
}
