import { Text } from '@mantine/core'
import type { HeldQuestion } from '../../lib/held-question.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Asks before something is sent by hand while the installation is held. */
export function HeldSendDialog({ question }: { question: HeldQuestion }) {
  return (
    <ConfirmDialog
      isOpen
      title="Send although a backup was restored?"
      confirmLabel="Send it"
      onConfirm={() => question.answer(true)}
      onClose={() => question.answer(false)}
    >
      <Text size="sm">
        It may have been sent after the backup was made: this installation would not know. Check at
        the authority whether it has the document.
      </Text>
    </ConfirmDialog>
  )
}
