import { Button, Group, Stack, Text } from '@mantine/core'
import { IconReload } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface NoticeProps {
  title: string
  children?: ReactNode
}

/** Shown in place of content: the list is empty, nothing was found, or it could not be loaded. */
export function Notice({ title, children }: NoticeProps) {
  return (
    <Stack gap="xs" align="center" py="xl" px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children}
    </Stack>
  )
}

interface RetryNoticeProps {
  title: string
  /** The server's message. */
  reason: string
  isRetrying: boolean
  onRetry: () => void
}

export function RetryNotice({ title, reason, isRetrying, onRetry }: RetryNoticeProps) {
  return (
    <Group justify="space-between" px="md" py="sm" gap="sm" aria-live="polite">
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      </div>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconReload size={14} />}
        loading={isRetrying}
        onClick={onRetry}
      >
        Retry
      </Button>
    </Group>
  )
}
