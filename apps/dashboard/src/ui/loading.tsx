import { Center, Group, Loader, Text } from '@mantine/core'

/** The spec's placeholder while something is fetched. */
export function Loading() {
  return (
    <Group gap="xs" py="xl" justify="center" role="status">
      <Loader size="xs" aria-hidden />
      <Text size="sm" c="dimmed">
        Loading...
      </Text>
    </Group>
  )
}

/** The same for a whole window: while the session is checked, or the first screen is on its way. */
export function LoadingScreen() {
  return (
    <Center mih="100dvh" component="main">
      <Loading />
    </Center>
  )
}
