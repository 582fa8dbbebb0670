import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

interface CopiedProps {
  text: string
  /** What is copied, for screen readers. */
  description: string
  /** What is shown instead of the text: a link with it. */
  children?: ReactNode
}

/** A text that is needed elsewhere, such as an id or an address, with a button that copies it. */
export function Copied({ text, description, children }: CopiedProps) {
  return (
    <Group gap="xs">
      <Text span inherit style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
        {children ?? <bdi>{text}</bdi>}
      </Text>
      <CopyButton text={text} label="Copy" description={description} />
    </Group>
  )
}
