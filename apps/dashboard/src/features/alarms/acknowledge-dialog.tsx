import { Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../lib/call-error.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { useWhileShown } from '../../lib/use-while-shown.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useAlarmActions } from './alarm-queries.ts'
import { acknowledgedWords } from './alarms-messages.ts'

interface AcknowledgeDialogProps {
  ids: number[]
  onDone: () => void
  onClose: () => void
}

/** Says that the user takes care of some alarms, with a note that others see. Rendered while open. */
export function AcknowledgeDialog({ ids, onDone, onClose }: AcknowledgeDialogProps) {
  const [note, setNote] = useState('')
  const close = useWhileShown(onClose)
  const { acknowledge } = useAlarmActions()
  const one = ids.length === 1

  async function handleConfirm() {
    try {
      const { acknowledged } = await acknowledge.mutateAsync({ ids, note })
      notifySuccess(acknowledgedWords(acknowledged))
    } catch {
      return
    }
    onDone()
    close()
  }
  return (
    <ConfirmDialog
      isOpen
      title={one ? 'Acknowledge this alarm?' : `Acknowledge ${ids.length} alarms?`}
      confirmLabel="Acknowledge"
      isHarmless
      isWorking={acknowledge.isPending}
      failure={acknowledge.isError ? messageOf(acknowledge.error) : undefined}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Your name is shown with {one ? 'it' : 'them'}. The channels are told nothing more until{' '}
          {one ? 'it is' : 'they are'} over.
        </Text>
        <Textarea
          label="Note"
          description="What you do about it. Blank is fine."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={500}
          rows={2}
        />
      </Stack>
    </ConfirmDialog>
  )
}
