import { Anchor, Code, Text } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { Page } from '../../ui/page.tsx'

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
