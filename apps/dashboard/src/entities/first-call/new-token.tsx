import { Code, Group, Text } from '@mantine/core'
import { CopyButton } from '../../ui/text/copy-button.tsx'

/** A token that was made a moment ago, to be copied. */
export function NewToken({ token, holder }: { token: string; holder: string }) {
  return (
    <>
      <Group gap="sm" mt="xs">
        <Code style={{ overflowWrap: 'anywhere' }}>{token}</Code>
        <CopyButton text={token} label="Copy" description="the new token" />
      </Group>
      <Text size="sm" mt={4}>
        Copy it now: it is shown this once. It calls the gateway as <b>{holder}</b>.
      </Text>
    </>
  )
}
