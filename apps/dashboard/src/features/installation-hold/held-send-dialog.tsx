import { Text } from '@mantine/core'
import type { InstallationHold } from '@gatehouse/contract'
import type { HeldQuestion } from '../../lib/forms/held-question.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'

const titleWords: Record<InstallationHold['reason'], string> = {
  restore: 'Send although a backup was restored?',
  older_database: 'Send although the database is older than what was sent?',
}

interface HeldSendDialogProps {
  question: HeldQuestion
  reason: InstallationHold['reason']
}

/** Asks before something is sent by hand while the installation is held. */
export function HeldSendDialog({ question, reason }: HeldSendDialogProps) {
  return (
    <ConfirmDialog
      isOpen
      title={titleWords[reason]}
      confirmLabel="Send it"
      onConfirm={() => question.answer(true)}
      onClose={() => question.answer(false)}
    >
      <Text size="sm">
        It may have been sent already: this installation would not know. Check at the authority
        whether it has the document.
      </Text>
    </ConfirmDialog>
  )
}
