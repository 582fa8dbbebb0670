import { Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { notifySuccess } from '../../../lib/page/notify.tsx'
import { ReasonDialog } from '../../../ui/dialog/reason-dialog.tsx'
import { useRunActions } from './run-actions.ts'

interface CloseDialogProps {
  run: RunDetail
  isOpen: boolean
  onClose: () => void
}

/** Takes a run out of the open work, with a reason that is kept. */
export function CloseDialog({ run, isOpen, onClose }: CloseDialogProps) {
  const { close } = useRunActions(run.id)
  return (
    <ReasonDialog
      subject={isOpen ? run.id : undefined}
      ask={(id) => ({
        title: `Close run ${id}?`,
        confirmLabel: 'Close this run',
        isHarmless: true,
      })}
      field={{
        name: 'reason',
        label: 'Reason',
        description: 'Kept with the run and in the audit trail.',
        maxLength: 1000,
        isRequired: true,
      }}
      more={{}}
      perform={async (_, reason) => notifySuccess((await close({ reason })).message)}
      onClose={onClose}
    >
      {() => (
        <Text size="sm">
          It no longer counts as open work. Nothing is sent and nothing is taken back. It can still
          be resumed or corrected later.
        </Text>
      )}
    </ReasonDialog>
  )
}
