import { Anchor, Code, Text } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import type { Permission } from '@gatehouse/contract'
import { GrantersNote } from '../../entities/access/granters-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { paths } from '../../entities/paths.ts'

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
