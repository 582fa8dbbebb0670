import { Text } from '@mantine/core'
import { serverText } from '../../../lib/calls/server-text.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import type { RegisterQuestion } from './use-register-change.ts'

/** Asks before an API leaves a register in which documents stay. */
export function RegisterChangeDialog({ question }: { question: RegisterQuestion }) {
  return (
    <ConfirmDialog
      isOpen
      title="Change the document register?"
      confirmLabel="Change it"
      onConfirm={() => question.answer(true)}
      onClose={() => question.answer(false)}
    >
      <Text size="sm">{serverText(question.message)}</Text>
    </ConfirmDialog>
  )
}
