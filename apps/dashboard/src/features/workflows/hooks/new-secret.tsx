import { Alert, Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CopyButton } from '../../../ui/text/copy-button.tsx'

interface OrNewSecretProps {
  /** Absent until a save has made one. */
  secret: string | undefined
  donePath: string
  children: ReactNode
}

/**
 * A form; once its save has made a secret that in its place, to be copied. It is not shown again, so it
 * has to be kept outside of the form, which begins again with the record that was saved.
 */
export function OrNewSecret({ secret, donePath, children }: OrNewSecretProps) {
  if (secret === undefined) return children
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
