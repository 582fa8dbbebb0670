import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

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
  /** Why it did not work. */
  failure?: ReactNode
  onConfirm: () => void
  onClose: () => void
}

/**
 * Asks before something is lost or sent. The focus starts on Cancel. Built from the library's parts,
 * because its own header would count as a second banner of the page.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { confirmLabel, cancelLabel = 'Cancel', isWorking = false, failure } = props
  const color = props.isHarmless ? {} : { color: 'red' }
  return (
    <Modal.Root opened={props.isOpen} onClose={props.onClose} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">
          <Stack gap="md">
            <Modal.Title fz="lg" fw={600}>
              {props.title}
            </Modal.Title>
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
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
