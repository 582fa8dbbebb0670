import { Alert, Badge, Group, Text } from '@mantine/core'
import type { Preview } from './import-queries.ts'
import classes from './imports.module.css'

/** What the address answered to this server, or why it did not. */
export function WhatItAnswers({ answer }: { answer: NonNullable<Preview['answer']> }) {
  const { status, problem, took_ms, content_type, body } = answer
  if (status === null)
    return (
      <Alert color="red" role="note" title="It did not answer">
        <Text size="sm">{problem}</Text>
        <Text size="sm" mt="xs">
          You can create it all the same, and mend the address later.
        </Text>
      </Alert>
    )
  const isRight = status < 400
  return (
    <Alert color={isRight ? 'green' : 'orange'} role="note" title="What it answers">
      <Group gap="xs">
        <Badge color={isRight ? 'green' : 'orange'}>{status}</Badge>
        <Text size="sm">
          in {took_ms} ms
          {content_type !== '' && (
            <>
              , <bdi dir="ltr">{content_type}</bdi>
            </>
          )}
        </Text>
      </Group>
      {!isRight && (
        <Text size="sm" mt="xs">
          {reasonFor(status)}
        </Text>
      )}
      {body !== '' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <pre className={classes['body']} tabIndex={0} aria-label="Answer" dir="ltr">
          {body}
        </pre>
      )}
    </Alert>
  )
}

function reasonFor(status: number): string {
  if (status === 401 || status === 403)
    return 'The API asks for a sign-in. Paste a curl command that holds it, or set it in the API afterwards.'
  if (status === 404) return 'The API knows no such path. Look at the address once more.'
  if (status >= 500) return 'The API itself failed.'
  return 'The API refused this call.'
}
