import { Box, type ScrollAreaProps } from '@mantine/core'

/** Scrolls with the browser's own bars, and needs a hundredth of the code of the library's. */
export function ScrollArea({ children, mah }: Pick<ScrollAreaProps, 'children' | 'mah'>) {
  return (
    <Box mah={mah} style={{ overflow: 'auto' }}>
      {children}
    </Box>
  )
}

ScrollArea.Autosize = ScrollArea
