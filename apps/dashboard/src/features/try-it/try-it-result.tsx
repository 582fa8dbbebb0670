import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import type { TryItAnswer } from '@gatehouse/contract'
import { useState, type ReactNode } from 'react'
import { prettyJson } from '../../lib/format/pretty-json.ts'
import { Fold } from '../../ui/page/fold.tsx'
import { JsonPane } from '../../ui/json/json-pane.tsx'
import classes from './try-it-stages.module.css'
import { TryItStages } from './try-it-stages.tsx'

/** The answer as a client would have got it, and the way there. */
export function TryItResult({ result, actions }: { result: TryItAnswer; actions?: ReactNode }) {
  const [isRaw, setIsRaw] = useState(false)
  const { request, answer, took_ms, trace, request_id } = result
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="xs">
        <Badge color={answer.status < 400 ? 'green' : answer.status < 500 ? 'orange' : 'red'}>
          {answer.status}
        </Badge>
        <Text size="sm">in {Math.round(took_ms)} ms</Text>
        {actions}
        {request_id !== null && (
          <Text size="xs" c="dimmed">
            request <Code>{request_id}</Code>
          </Text>
        )}
      </Group>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {request.method} {request.url}
      </Text>
      {trace ? (
        <TryItStages trace={trace} />
      ) : (
        <Text size="sm" c="dimmed">
          The gateway did not tell what its stages made of the request.
        </Text>
      )}
      <Fold title={`Headers (${answer.headers.length})`}>
        <pre className={classes['details']}>
          {answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </pre>
      </Fold>
      <JsonPane
        title={answer.is_whole ? 'Answer' : `Answer, the beginning of ${answer.body_bytes} bytes`}
        label="Answer"
        value={isRaw ? answer.body : prettyJson(answer.body)}
        isPlain={isRaw}
        actions={
          answer.body !== '' && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-pressed={isRaw}
              onClick={() => setIsRaw(!isRaw)}
            >
              Raw
            </Button>
          )
        }
        empty={
          <Text size="sm" c="dimmed">
            Without a body.
          </Text>
        }
      />
    </Stack>
  )
}
