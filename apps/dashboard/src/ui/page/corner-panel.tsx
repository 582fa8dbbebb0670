import { useClickOutside } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useEscape } from '../../lib/page/use-escape.ts'
import classes from './corner-panel.module.css'

interface CornerPanelProps {
  isOpen: boolean
  onClose: () => void
  /** The button that opens it. It gets the focus back after Escape. */
  button: ReactNode
  children: ReactNode
}

/**
 * A button in the upper right corner of the window with a panel below it. Its place never changes, so
 * that the first load needs nothing that measures and positions.
 */
export function CornerPanel({ isOpen, onClose, button, children }: CornerPanelProps) {
  const frame = useClickOutside<HTMLDivElement>(() => isOpen && onClose())
  useEscape(isOpen, () => {
    onClose()
    frame.current?.querySelector('button')?.focus()
  })
  return (
    <div className={classes['frame']} ref={frame}>
      {button}
      {isOpen && <div className={classes['panel']}>{children}</div>}
    </div>
  )
}
