import { Alert, Button } from '@mantine/core'
import { NewToken } from '../../entities/first-call/new-token.tsx'
import { useFirstToken } from '../../entities/first-call/use-first-call.ts'
import { gatewayClientId } from '../../entities/user/protected-users.ts'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import { NotAllowed } from './api-steps.tsx'

/** A token for the gateway client. `onToken` gets it, for the first call. */
export function TokenStep({ onToken }: { onToken: (token: string) => void }) {
  const can = useCan()
  const creation = useFirstToken(gatewayClientId, onToken)
  if (!can('token.create')) return <NotAllowed permission="token.create" />
  return (
    <div aria-live="polite">
      {creation.isSuccess ? (
        <NewToken token={creation.data.token} holder={creation.data.user.name} />
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
