import { Text } from '@mantine/core'
import { Fragment } from 'react'

/** The name of a tool. A long one is broken between its words. */
export function ToolName({ name }: { name: string }) {
  const words = name.split('_')
  return (
    <Text size="sm" ff="monospace" dir="ltr" style={{ overflowWrap: 'anywhere' }}>
      {words.map((word, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the words of one name stay in their order
        <Fragment key={at}>
          {word}
          {at < words.length - 1 && '_'}
          <wbr />
        </Fragment>
      ))}
    </Text>
  )
}
