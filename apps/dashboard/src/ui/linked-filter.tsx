import { Pill } from '@mantine/core'
import type { ReactNode } from 'react'

interface LinkedFilterProps {
  noun: string
  onRemove: () => void
  children: ReactNode
}

/** A filter that links set; here it is taken away. */
export function LinkedFilter({ noun, onRemove, children }: LinkedFilterProps) {
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={onRemove}
      // Hidden by default, because an input around pills takes them away by its own keys.
      removeButtonProps={{ 'aria-label': `Any ${noun}`, 'aria-hidden': false, tabIndex: 0 }}
    >
      {children}
    </Pill>
  )
}
