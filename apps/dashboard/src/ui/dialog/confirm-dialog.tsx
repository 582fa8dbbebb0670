import { Alert, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogFrame } from './dialog-frame.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  /** What will happen, and what else is deleted or stops working. */
  children: ReactNode
  /** Names the action, never just "OK". Absent: the dialog only informs. */
  confirmLabel?: string | undefined
  cancelLabel?: string
  isWorking?: boolean
  /** Nothing can be lost: the button is not red. */
  isHarmless?: boolean
  /** Shows a table. */
  isWide?: boolean
  /** Why it did not work. */
  failure?: ReactNode
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is lost or sent. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { confirmLabel, cancelLabel = 'Cancel', isWorking = false, failure } = props
  const color = props.isHarmless ? {} : { color: 'red' }
  return (
    <DialogFrame
      isOpen={props.isOpen}
      title={props.title}
      onClose={props.onClose}
      {...(props.isWide ? { width: 760 } : {})}
    >
      {props.children}
      {failure !== undefined && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={props.onClose} data-autofocus>
          {confirmLabel === undefined ? 'Close' : cancelLabel}
        </Button>
        {confirmLabel !== undefined && (
          <Button {...color} loading={isWorking} onClick={props.onConfirm}>
            {confirmLabel}
          </Button>
        )}
      </Group>
    </DialogFrame>
  )
}
