import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { FirstSteps, TryItAnswer } from '@gatehouse/contract'
import { Link } from 'react-router'
import { GrantOffer } from '../../entities/access/grant-offer.tsx'
import { refusedTokenOf } from '../../entities/access/refused-token.ts'
import { TokenField } from '../../entities/api/token-field.tsx'
import { useCurl } from '../../entities/endpoint/use-curl.ts'
import { paths } from '../../entities/paths.ts'
import { CallError, reasonOf } from '../../lib/call-error.ts'
import { useCan } from '../../lib/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { NotAllowed } from './api-steps.tsx'
import { useFirstCall } from './first-steps-queries.ts'
import classes from './first-steps.module.css'

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
      {trial.isSuccess && <Outcome result={trial.data} endpoint={endpoint} label={label} />}
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

interface OutcomeProps {
  result: TryItAnswer
  endpoint: CallStepProps['endpoint']
  label: string
}

function Outcome({ result, endpoint, label }: OutcomeProps) {
  const { answer, took_ms } = result
  const isRight = answer.status < 400
  const refused = refusedTokenOf(result)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge color={isRight ? 'green' : 'red'}>{answer.status}</Badge>
        <Text size="sm">
          {isRight ? 'The gateway carried the call' : 'The call was refused'} in{' '}
          {Math.round(took_ms)} ms.
        </Text>
      </Group>
      {answer.body !== '' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <pre className={classes['answer']} tabIndex={0} aria-label="Answer">
          {answer.body.slice(0, 4_000)}
        </pre>
      )}
      {refused !== undefined && (
        <GrantOffer endpoint={{ id: endpoint.id, label }} tokenId={refused} />
      )}
      {answer.status === 401 && (
        <Text size="sm">The token is missing or no longer works. Enter or generate another.</Text>
      )}
      {isRight && (
        <>
          <AsCurl request={result.request} hasToken={endpoint.is_guarded} />
          <WhatNext endpointId={endpoint.id} />
        </>
      )}
    </Stack>
  )
}

interface AsCurlProps {
  request: TryItAnswer['request']
  hasToken: boolean
}

/** The same call for a terminal. */
function AsCurl({ request, hasToken }: AsCurlProps) {
  const command = useCurl(request, { headers: '', body: '', hasToken })
  return (
    <>
      <Group gap="sm" justify="space-between">
        <Text size="sm">The same from a terminal:</Text>
        <CopyButton text={command} label="Copy as curl" description="this request as a command" />
      </Group>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <pre className={classes['answer']} tabIndex={0} aria-label="As curl" dir="ltr">
        {command}
      </pre>
    </>
  )
}

function WhatNext({ endpointId }: { endpointId: number }) {
  return (
    <Text size="sm">
      What next: see the URLs for clients in{' '}
      <Anchor component={Link} to="/dashboard/admin/context" inherit underline="always">
        Api Context
      </Anchor>
      , change{' '}
      <Anchor component={Link} to={paths.endpointEdit(endpointId)} inherit underline="always">
        the endpoint
      </Anchor>
      , or build a{' '}
      <Anchor component={Link} to={paths.workflowCreate} inherit underline="always">
        workflow
      </Anchor>
      .
    </Text>
  )
}
