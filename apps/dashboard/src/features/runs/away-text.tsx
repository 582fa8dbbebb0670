import { Text } from '@mantine/core'

/** Stands for a body or an answer that is in the archive. */
export const AwayText = () => (
  <Text size="sm" c="dimmed">
    In the archive
  </Text>
)
