import { Alert, Button, Group, Stack } from '@mantine/core'
import { Link } from 'react-router'
import { CopyButton } from '../../ui/copy-button.tsx'

interface NewSecretPageProps {
  secret: string
  donePath: string
}

/** In the place of a form that was saved: the secret that was made, to be copied. It is not shown again. */
export function NewSecretPage({ secret, donePath }: NewSecretPageProps) {
  return (
    <Stack gap="md">
      <Alert color="blue" role="note" title="Copy the secret now: it is shown this once">
        <Group gap="sm">
          <code style={{ overflowWrap: 'anywhere' }}>{secret}</code>
          <CopyButton text={secret} label="Copy" description="the new secret" />
        </Group>
      </Alert>
      <div>
        <Button component={Link} to={donePath}>
          Done
        </Button>
      </div>
    </Stack>
  )
}
