import { Text } from '@mantine/core'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'

/** Why a Send has to be confirmed: it may repeat an earlier one. */
export type Doubt = 'unknown' | 'repeat'

interface RepeatDialogProps {
  doubt: Doubt | undefined
  onConfirm: () => void
  onClose: () => void
}

const texts = {
  unknown:
    'What became of the last request is not known: it may have been received. Sending again may create the same thing twice.',
  repeat: 'You have just sent exactly this to the same endpoint, and it was accepted.',
} satisfies Record<Doubt, string>

/** Nothing accepted is sent twice, not by impatience either (spec: runs). */
export function RepeatDialog({ doubt, onConfirm, onClose }: RepeatDialogProps) {
  return (
    <ConfirmDialog
      isOpen={doubt !== undefined}
      title="Send again?"
      confirmLabel="Send again"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text size="sm">{doubt && texts[doubt]}</Text>
    </ConfirmDialog>
  )
}
