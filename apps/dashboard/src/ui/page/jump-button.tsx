import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

interface JumpButtonProps {
  /** The id of an element with a panel in it. */
  to: string
  icon: ReactNode
  children: string
}

/** Opens a panel of the same screen and moves there. */
export function JumpButton({ to, icon, children }: JumpButtonProps) {
  function handleClick() {
    const panel = document.querySelector<HTMLDetailsElement>(`#${to} details`)
    if (!panel) return
    panel.open = true
    panel.scrollIntoView({ block: 'start' })
    panel.querySelector('summary')?.focus({ preventScroll: true })
  }
  return (
    <Button variant="default" size="xs" leftSection={icon} onClick={handleClick}>
      {children}
    </Button>
  )
}
