import { Stack, Text, Textarea } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { CallError } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useRunActions } from './run-actions.ts'
import { refusalText } from './run-toasts.ts'

interface CloseDialogProps {
  run: RunDetail
  isOpen: boolean
  onClose: () => void
}

/** Takes a run out of the open work, with a reason that is kept. */
export function CloseDialog({ run, isOpen, onClose }: CloseDialogProps) {
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [isWorking, setIsWorking] = useState(false)
  const { close } = useRunActions(run.id)
  const fields = failure instanceof CallError ? firstMessages(failure.errors) : {}

  function handleClose() {
    setFailure(undefined)
    onClose()
  }

  async function handleConfirm() {
    setIsWorking(true)
    setFailure(undefined)
    try {
      notifySuccess((await close({ reason })).message)
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setIsWorking(false)
    }
  }

  const isOfField = fields['reason'] !== undefined
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Close run ${run.id}?`}
      confirmLabel="Close this run"
      isHarmless
      isWorking={isWorking}
      failure={failure === undefined || isOfField ? undefined : refusalText(failure)}
      onConfirm={() => void handleConfirm()}
      onClose={handleClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          It no longer counts as open work. Nothing is sent and nothing is taken back. It can still
          be resumed or corrected later.
        </Text>
        <Textarea
          label="Reason"
          description="Kept with the run and in the audit trail."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fields['reason']}
          maxLength={1000}
          rows={2}
          withAsterisk
        />
      </Stack>
    </ConfirmDialog>
  )
}
