import { Code, Text } from '@mantine/core'
import type { Permission } from '@gatehouse/contract'
import { Page } from '../../ui/page.tsx'

/** 403, inside the shell: says what is missing, so that the reader knows what to ask for. */
export function ForbiddenPage({ permission }: { permission: Permission }) {
  return (
    <Page title="You may not see this screen" isNarrow>
      <Text>
        None of your roles holds the permission <Code>{permission}</Code>. Ask an administrator who
        manages roles if you need it.
      </Text>
    </Page>
  )
}
