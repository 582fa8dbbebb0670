import { Button, Code, Container, Text } from '@mantine/core'
import { IconReload } from '@tabler/icons-react'
import { useRouteError } from 'react-router'
import { CallError } from '../../lib/calls/call-error.ts'
import { Page } from '../../ui/page/page.tsx'

/** What is left of a screen that broke, or whose code could not be loaded. */
export function ErrorPage() {
  const error = useRouteError()
  const call = error instanceof CallError ? error : undefined
  return (
    <Page title="Something went wrong" isNarrow>
      <Text>{call?.message ?? 'This screen could not be shown. Reloading it usually helps.'}</Text>
      {call?.requestId !== undefined && (
        <Text size="sm" c="dimmed">
          Request id <Code>{call.requestId}</Code>
        </Text>
      )}
      <div>
        <Button leftSection={<IconReload size={16} />} onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </Page>
  )
}

/** The same where not even the shell could be shown. */
export function RootErrorPage() {
  return (
    <Container component="main" size="sm" py="xl">
      <ErrorPage />
    </Container>
  )
}
