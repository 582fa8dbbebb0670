import { Button, Group, Text, TextInput } from '@mantine/core'
import { CopyButton } from '../../ui/text/copy-button.tsx'

interface InvitationLinkProps {
  /** Without a host where the server knows none. */
  link: string
  email: string
  onClose: () => void
}

/** The link of an invitation that no e-mail has taken to the person. It is shown this once. */
export function InvitationLink({ link, email, onClose }: InvitationLinkProps) {
  const { href } = new URL(link, location.origin)
  return (
    <>
      <Text size="sm">
        Pass it on to <bdi>{email}</bdi>. It is shown this once, counts once, and for 7 days.
      </Text>
      <TextInput
        label="Link"
        readOnly
        dir="ltr"
        value={href}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group justify="space-between">
        <CopyButton text={href} label="Copy" description="the link of the invitation" />
        <Button onClick={onClose}>Done</Button>
      </Group>
    </>
  )
}
