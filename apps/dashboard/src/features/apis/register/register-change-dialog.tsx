import { Text } from '@mantine/core'
import { serverWords } from '../../../lib/calls/server-words.tsx'
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
      <Text size="sm">{serverWords(question.message)}</Text>
    </ConfirmDialog>
  )
}
