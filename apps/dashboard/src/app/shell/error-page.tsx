import { Button, Code, Container, Text } from '@mantine/core'
import { IconReload } from '@tabler/icons-react'
import { useRouteError } from 'react-router'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { Page } from '../../ui/page.tsx'

/** What is left of a screen that broke, or whose code could not be loaded. */
export function ErrorPage() {
  const error = useRouteError()
  const requestId = error instanceof CallError ? error.requestId : undefined
  return (
    <Container size="sm" py="xl">
      <Page title="Something went wrong" isNarrow>
        <Text>{messageOf(error)}</Text>
        {requestId !== undefined && (
          <Text size="sm" c="dimmed">
            Request id <Code>{requestId}</Code>
          </Text>
        )}
        <div>
          <Button leftSection={<IconReload size={16} />} onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      </Page>
    </Container>
  )
}
