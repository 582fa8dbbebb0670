import { Stack, Text, Textarea } from '@mantine/core'
import type { LaneRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { useWhileShown } from '../../lib/use-while-shown.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLaneActions } from './lane-queries.ts'
import { lanesMessages } from './lanes-messages.ts'

interface PauseDialogProps {
  lane: LaneRecord
  onClose: () => void
}

/** Pauses a lane, with a reason that others see. Rendered while it is open. */
export function PauseDialog({ lane, onClose }: PauseDialogProps) {
  const [reason, setReason] = useState('')
  const close = useWhileShown(onClose)
  const { pause } = useLaneActions()
  const fields = pause.error instanceof CallError ? firstMessages(pause.error.errors) : {}
  const isOfField = fields['reason'] !== undefined

  async function handleConfirm() {
    try {
      await pause.mutateAsync({ id: lane.id, reason })
    } catch {
      return
    }
    notifySuccess(lanesMessages.paused)
    close()
  }

  return (
    <ConfirmDialog
      isOpen
      title={`Pause ${lane.name}?`}
      confirmLabel="Pause lane"
      isHarmless
      isWorking={pause.isPending}
      failure={pause.isError && !isOfField ? messageOf(pause.error) : undefined}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          No further run is started. Runs under way end. New runs are still taken, and wait.
        </Text>
        <Textarea
          label="Reason"
          description="Shown with the lane and kept in the audit trail."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fields['reason']}
          maxLength={500}
          rows={2}
          withAsterisk
        />
      </Stack>
    </ConfirmDialog>
  )
}
