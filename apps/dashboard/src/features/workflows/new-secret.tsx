import { Alert, Group } from '@mantine/core'
import { CopyButton } from '../../ui/copy-button.tsx'

/** A secret that was just made, to be copied: it is not shown again. */
export function NewSecret({ secret }: { secret: string }) {
  return (
    <Alert color="blue" role="note" title="Copy the secret now: it is shown this once">
      <Group gap="sm">
        <code style={{ overflowWrap: 'anywhere' }}>{secret}</code>
        <CopyButton text={secret} label="Copy" description="the new secret" />
      </Group>
    </Alert>
  )
}
