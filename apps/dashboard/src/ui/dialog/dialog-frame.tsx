import { useState } from 'react'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import type { DialogFrameProps } from './modal-frame.tsx'

const ModalFrame = lazyPart(async () => (await import('./modal-frame.tsx')).ModalFrame)

/** A window above the screen. What draws it is loaded when the first one opens. */
export function DialogFrame(props: DialogFrameProps) {
  const [isWanted, setIsWanted] = useState(props.isOpen)
  if (props.isOpen && !isWanted) setIsWanted(true)
  return isWanted && <ModalFrame {...props} />
}
