import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import type { CheckedAgentToken } from '@gatehouse/contract'
import { useEffect } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Loading } from '../../ui/page/loading.tsx'
import { useCheckAgentToken } from './token-queries.ts'

/** What the client of an agent is told, once a call with the token has shown that it works. */
export function AgentConnection({ token }: { token: string }) {
  const { mutate, data, error, isPending } = useCheckAgentToken()
  useEffect(() => mutate(token), [mutate, token])
  const problem = error ? messageOf(error) : data?.problem
  return (
    <Stack gap="sm" aria-live="polite">
      {isPending && <Loading />}
      {!isPending && problem != null && (
        <Alert color="red" role="alert" title="The gateway does not take this token yet">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{serverWords(problem)}</Text>
            <Button size="xs" variant="default" onClick={() => mutate(token)}>
              Check again
            </Button>
          </Stack>
        </Alert>
      )}
      {!isPending && data?.problem === null && <Working token={token} checked={data} />}
    </Stack>
  )
}

function Working({ token, checked }: { token: string; checked: CheckedAgentToken }) {
  const { url, tools, has_more } = checked
  return (
    <>
      <Group gap="xs">
        <Badge color="green">Works</Badge>
        <Text size="sm">The gateway was asked with this token. An agent finds:</Text>
      </Group>
      <Text size="sm" ff="monospace" dir="ltr" style={{ overflowWrap: 'anywhere' }}>
        {tools.join(', ')}
        {has_more && ', …'}
      </Text>
      <Copied
        title="File of a client"
        text={configurationFor(url, token)}
        description="the configuration of a client"
      />
      <Copied
        title="Command line"
        text={commandFor(url, token)}
        description="the command line of a client"
      />
    </>
  )
}

function Copied({
  title,
  text,
  description,
}: {
  title: string
  text: string
  description: string
}) {
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CopyButton text={text} label="Copy" description={description} />
      </Group>
      <Code block dir="ltr" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
    </Stack>
  )
}

const headersOf = (token: string) => ({ Authorization: `Bearer ${token}` })

const configurationFor = (url: string, token: string) =>
  JSON.stringify(
    {
      mcpServers: {
        gatehouse: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } },
      },
    },
    null,
    2,
  )

/** The inspector of the protocol, which lists the tools. */
const commandFor = (url: string, token: string) =>
  [
    'npx',
    '@modelcontextprotocol/inspector',
    '--cli',
    url,
    '--transport',
    'http',
    '--header',
    ...Object.entries(headersOf(token)).map(([name, value]) => `"${name}: ${value}"`),
    '--method',
    'tools/list',
  ].join(' ')
