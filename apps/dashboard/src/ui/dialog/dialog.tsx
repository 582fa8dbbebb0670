import { CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogFrame } from './dialog-frame.tsx'

interface DialogProps {
  isOpen: boolean
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/** Details above the screen they belong to. */
export function Dialog(props: DialogProps) {
  return (
    <DialogFrame
      {...props}
      width={960}
      corner={<CloseButton aria-label="Close" onClick={props.onClose} />}
    />
  )
}
