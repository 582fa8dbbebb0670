import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { FirstSteps } from '@gatehouse/contract'
import { Link } from 'react-router'
import { GrantOffer } from '../../entities/access/grant-offer.tsx'
import { TokenField } from '../../entities/api/token-field.tsx'
import { CallOutcome } from '../../entities/first-call/call-outcome.tsx'
import { useFirstCall } from '../../entities/first-call/use-first-call.ts'
import { paths } from '../../entities/paths.ts'
import { CallError, reasonOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import { NotAllowed } from './api-steps.tsx'

interface CallStepProps {
  endpoint: NonNullable<FirstSteps['endpoint']>
  token: string
  onToken: (token: string) => void
  /** The gateway has answered with neither 4xx nor 5xx. */
  onSuccess: () => void
}

/** Sends one request through the gateway and shows the answer, or what is missing. */
export function CallStep({ endpoint, token, onToken, onSuccess }: CallStepProps) {
  const can = useCan()
  const trial = useFirstCall((status) => status < 400 && onSuccess())
  const label = `${endpoint.method_type.toUpperCase()} ${endpoint.path}`
  if (!can('request.send')) return <NotAllowed permission="request.send" />
  if (endpoint.path.includes('{'))
    return (
      <Text size="sm" mt="xs">
        {label} has parameters:{' '}
        <Anchor component={Link} to={paths.endpointEdit(endpoint.id)} inherit underline="always">
          open the endpoint and fill them in under Try it
        </Anchor>
        .
      </Text>
    )
  return (
    <Stack gap="sm" mt="xs" aria-live="polite">
      {endpoint.is_guarded && (
        <TokenField
          label="Personal token"
          description="The one that was just generated, or another."
          value={token}
          onChange={onToken}
        />
      )}
      <Group gap="sm">
        <Button
          data-send
          leftSection={<IconPlayerPlay size={16} />}
          loading={trial.isPending}
          onClick={() => trial.mutate({ id: endpoint.id, token })}
        >
          Send {label}
        </Button>
      </Group>
      {trial.isSuccess && (
        <CallOutcome
          result={trial.data}
          endpoint={{ id: endpoint.id, label, isGuarded: endpoint.is_guarded }}
        />
      )}
      {trial.isError && (
        <Alert color="red" role="alert" title="Nothing was sent">
          {reasonOf(trial.error)}
          {trial.error instanceof CallError && trial.error.code === 'access.denied' && (
            <GrantOffer endpoint={{ id: endpoint.id, label }} onGranted={() => trial.reset()} />
          )}
        </Alert>
      )}
    </Stack>
  )
}
