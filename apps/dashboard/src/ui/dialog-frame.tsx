import { useState, type ReactNode } from 'react'
import { lazyPart } from '../lib/lazy-part.tsx'

export interface DialogFrameProps {
  isOpen: boolean
  title: ReactNode
  onClose: () => void
  /** Beside the title. */
  corner?: ReactNode
  /** Pixels. */
  width?: number
  children: ReactNode
}

const ModalFrame = lazyPart(async () => (await import('./modal-frame.tsx')).ModalFrame)

/** A window above the screen. What draws it is loaded when the first one opens. */
export function DialogFrame(props: DialogFrameProps) {
  const [isWanted, setIsWanted] = useState(props.isOpen)
  if (props.isOpen && !isWanted) setIsWanted(true)
  return isWanted && <ModalFrame {...props} />
}
