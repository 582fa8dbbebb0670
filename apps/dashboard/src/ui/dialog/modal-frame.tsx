import { Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

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

/**
 * The frame of a dialog, from the library's parts, because its own header would count as a second banner
 * of the page.
 */
export function ModalFrame({ isOpen, title, onClose, corner, width, children }: DialogFrameProps) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered {...(width ? { size: width } : {})}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">
          <Stack gap="md">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Modal.Title fz="lg" fw={600}>
                {title}
              </Modal.Title>
              {corner}
            </Group>
            {children}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
