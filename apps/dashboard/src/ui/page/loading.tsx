import { Center, Loader, Text, VisuallyHidden } from '@mantine/core'
import classes from './loading.module.css'

/** The specification's placeholder while something is fetched; a few screens have another text. */
export function Loading({ text = 'Loading...' }: { text?: string }) {
  return (
    <output className={classes['loading']}>
      <Loader size="xs" aria-hidden />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </output>
  )
}

/** The same for a whole window: while the session is checked or the first screen loads. */
export function LoadingScreen() {
  return (
    <Center mih="100dvh" component="main">
      <VisuallyHidden component="h1">Gatehouse</VisuallyHidden>
      <Loading />
    </Center>
  )
}
