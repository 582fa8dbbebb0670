import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../ui/copy-button.tsx'

interface RecoveryCodeListProps {
  codes: readonly string[]
  onDone: () => void
}

/** Recovery codes, which are shown this once. */
export function RecoveryCodeList({ codes, onDone }: RecoveryCodeListProps) {
  return (
    <Stack gap="md">
      <Text size="sm">
        Keep these recovery codes where you keep passwords. Each signs you in once, when your
        authenticator app is not at hand. They are shown this once.
      </Text>
      <SimpleGrid
        cols={{ base: 1, xs: 2 }}
        spacing="xs"
        component="ul"
        p={0}
        m={0}
        dir="ltr"
        style={{ listStyle: 'none' }}
      >
        {codes.map((code) => (
          <Text component="li" key={code} size="sm" ff="monospace" ta="center">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <CopyButton text={codes.join('\n')} label="Copy" description="the recovery codes" />
        <Button onClick={onDone}>I have kept them</Button>
      </Group>
    </Stack>
  )
}
