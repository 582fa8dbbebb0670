import { Pill } from '@mantine/core'
import type { ReactNode } from 'react'

interface LinkedPillProps {
  removeLabel: string
  onRemove: () => void
  children: ReactNode
}

/** A filter that links set; here it is taken away. */
export function LinkedPill({ removeLabel, onRemove, children }: LinkedPillProps) {
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={onRemove}
      // Hidden by default, because an input around pills takes them away by its own keys.
      removeButtonProps={{ 'aria-label': removeLabel, 'aria-hidden': false, tabIndex: 0 }}
    >
      {children}
    </Pill>
  )
}
