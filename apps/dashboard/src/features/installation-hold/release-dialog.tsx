import { Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { RadioChoice } from '../../ui/form/radio-choice.tsx'
import { HeldPartList, type Parts } from './held-part-list.tsx'
import { holdQueries } from './hold-queries.ts'
import { releaseHold } from './release-queries.ts'

const noParts: Parts = { lanes: [], schedules: [] }
const choices = [
  { value: 'all', label: 'Everything' },
  { value: 'parts', label: 'Only some lanes and schedules' },
]

interface ReleaseDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Lets everything send again after a restore, with a note that is kept. */
export function ReleaseDialog({ isOpen, onClose }: ReleaseDialogProps) {
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [isWorking, setIsWorking] = useState(false)
  const [parts, setParts] = useState<Parts>()
  const client = useQueryClient()
  const can = useCan()
  const fields = failure instanceof CallError ? firstMessages(failure.errors) : {}

  async function handleConfirm() {
    setIsWorking(true)
    setFailure(undefined)
    try {
      await releaseHold({ note, ...parts })
      notifySuccess(
        parts
          ? 'Released: what was chosen sends again.'
          : 'Released: lanes, schedules and callbacks send again.',
      )
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setIsWorking(false)
      // A refusal may say that another user was first.
      void client.invalidateQueries({ queryKey: holdQueries.show().queryKey })
    }
  }

  const isOfField = fields['note'] !== undefined
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Release what is held?"
      confirmLabel={parts ? 'Release what is chosen' : 'Release everything'}
      isWorking={isWorking}
      failure={failure === undefined || isOfField ? undefined : messageOf(failure)}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Queued runs are sent, schedules fire and callbacks go out at once. What was sent after the
          backup was made may be sent a second time: check at the authorities first, and take out of
          the lanes what they have.
        </Text>
        {can('workflow.view') && (
          <RadioChoice
            label="What is released"
            value={parts ? 'parts' : 'all'}
            onChange={(value) => setParts(value === 'parts' ? noParts : undefined)}
            choices={choices}
          />
        )}
        {parts && <HeldPartList parts={parts} onChange={setParts} />}
        <Textarea
          label="Note"
          description="What was checked. Kept in the audit trail."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          error={fields['note']}
          maxLength={1000}
          rows={2}
          withAsterisk
        />
      </Stack>
    </ConfirmDialog>
  )
}
