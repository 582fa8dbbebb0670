import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import type { IssuerRecord } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useFetchKeys } from './issuer-queries.ts'

/** The keys in force, when they were last seen, and what went wrong since. */
export function IssuerKeys({ issuer }: { issuer: IssuerRecord }) {
  const fetching = useFetchKeys()
  const { keys, keys_read_at, keys_problem, jwks_url, id } = fetching.data?.issuer ?? issuer
  return (
    <Stack gap="sm" align="flex-start" aria-live="polite">
      <Text size="sm" fw={600}>
        {keys.length === 0 ? 'No key is in force: every token of it is refused.' : 'Keys in force'}
      </Text>
      {keys.length > 0 && (
        <List size="sm" listStyleType="none">
          {keys.map((key, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- keys may share their name
            <List.Item key={at} style={{ overflowWrap: 'anywhere' }}>
              <Code>{key.kid ?? 'no kid'}</Code> {key.kind}
            </List.Item>
          ))}
        </List>
      )}
      {keys_problem !== null && (
        <Alert color="orange" title="The keys could not be fetched">
          {keys_problem}
        </Alert>
      )}
      {fetching.isError && (
        <Alert color="red" title="The keys could not be fetched">
          {messageOf(fetching.error)}
        </Alert>
      )}
      {jwks_url !== '' && (
        <Group gap="sm">
          <Button
            variant="default"
            size="compact-sm"
            loading={fetching.isPending}
            onClick={() => fetching.mutate(id)}
          >
            Fetch the keys now
          </Button>
          {keys_read_at !== null && (
            <Text size="sm" c="dimmed">
              Last fetched <Moment at={keys_read_at} isRelative />
            </Text>
          )}
        </Group>
      )}
    </Stack>
  )
}
