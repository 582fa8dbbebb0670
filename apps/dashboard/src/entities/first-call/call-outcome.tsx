import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import type { TryItAnswer } from '@gatehouse/contract'
import { Link } from 'react-router'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { GrantOffer } from '../access/grant-offer.tsx'
import { refusedTokenOf } from '../access/refused-token.ts'
import { useCurl } from '../endpoint/use-curl.ts'
import { paths } from '../paths.ts'
import classes from './first-call.module.css'

interface CallOutcomeProps {
  result: TryItAnswer
  endpoint: {
    id: number
    /** Method and path. */
    label: string
    isGuarded: boolean
  }
  /** As it was sent; blank: nothing was. */
  body?: string
}

/** What the gateway answered to a first call: the same as a command, and what comes next. */
export function CallOutcome({ result, endpoint, body = '' }: CallOutcomeProps) {
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
      {refused !== undefined && <GrantOffer endpoint={endpoint} tokenId={refused} />}
      {answer.status === 401 && (
        <Text size="sm">The token is missing or no longer works. Enter or generate another.</Text>
      )}
      {isRight && (
        <>
          <AsCurl request={result.request} hasToken={endpoint.isGuarded} body={body} />
          <WhatNext endpointId={endpoint.id} />
        </>
      )}
    </Stack>
  )
}

interface AsCurlProps {
  request: TryItAnswer['request']
  hasToken: boolean
  body: string
}

/** The same call for a terminal. */
function AsCurl({ request, hasToken, body }: AsCurlProps) {
  const command = useCurl(request, { headers: '', body, hasToken })
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
