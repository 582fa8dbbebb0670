import { Button, Group, Text } from '@mantine/core'
import { IconEye, IconSend } from '@tabler/icons-react'

interface BundleActionsProps {
  canSend: boolean
  /** A run of this form is on its way. */
  isGoing: boolean
  /** Its outcome is unknown: it is settled first. */
  isHeld: boolean
  isPreviewing: boolean
  onPreview: () => void
  onSend: () => void
}

/** The buttons beneath a bundle; nothing of them for those who may only look. */
export function BundleActions(props: BundleActionsProps) {
  if (!props.canSend) {
    return (
      <Text size="sm" c="dimmed">
        Your roles do not let you send.
      </Text>
    )
  }
  return (
    <Group gap="sm">
      <Button
        leftSection={<IconSend size={16} aria-hidden />}
        loading={props.isGoing}
        disabled={props.isHeld}
        onClick={props.onSend}
      >
        Send Request
      </Button>
      <Button
        variant="default"
        leftSection={<IconEye size={16} aria-hidden />}
        loading={props.isPreviewing}
        disabled={props.isGoing}
        onClick={props.onPreview}
      >
        Preview
      </Button>
    </Group>
  )
}
