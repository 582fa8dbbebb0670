import { Button, Code, Container, Text, Anchor } from '@mantine/core'
import { IconReload } from '@tabler/icons-react'
import { useRouteError, Link, useLocation } from 'react-router'
import type { Permission } from '@gatehouse/contract'
import { CallError } from '../../lib/call-error.ts'
import { GrantersNote } from '../../entities/access/granters-note.tsx'
import { Page } from '../../ui/page.tsx'
import { paths } from '../../entities/paths.ts'

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

/** 404, inside the shell. */
export function NotFoundPage() {
  const { pathname } = useLocation()
  return (
    <Page title="Page not found" isNarrow>
      <Text style={{ overflowWrap: 'anywhere' }}>
        There is no screen at <Code>{pathname}</Code>.
      </Text>
      <Anchor component={Link} to={paths.home}>
        Go to the dashboard
      </Anchor>
    </Page>
  )
}

/** 403, inside the shell: says what is missing, so that the reader knows what to ask for. */
export function ForbiddenPage({ permission }: { permission: Permission }) {
  return (
    <Page title="You may not see this screen" isNarrow>
      <Text>
        None of your roles holds the permission <Code>{permission}</Code>. Ask an administrator who
        manages roles if you need it.
      </Text>
      <GrantersNote missing="permission" />
    </Page>
  )
}
