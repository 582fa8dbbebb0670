import { CloseButton, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface DialogProps {
  isOpen: boolean
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * Details above the screen they belong to. Built from the library's parts, because its own header
 * would count as a second banner of the page.
 */
export function Dialog({ isOpen, title, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered size={960}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">
          <Stack gap="md">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Modal.Title fz="lg" fw={600}>
                {title}
              </Modal.Title>
              <CloseButton aria-label="Close" onClick={onClose} />
            </Group>
            {children}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
