import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../ui/text/copy-button.tsx'

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
      <Text component="ul" size="sm" ff="monospace" ta="center" m={0} p={0} dir="ltr" style={grid}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Text>
      <Group justify="space-between">
        <CopyButton text={codes.join('\n')} label="Copy" description="the recovery codes" />
        <Button onClick={onDone}>I have kept them</Button>
      </Group>
    </Stack>
  )
}

const grid = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(10rem, 1fr))',
  gap: 'var(--mantine-spacing-xs)',
  listStyle: 'none',
}
