import { Text } from '@mantine/core'
import type { LaneRecord } from '@gatehouse/contract'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { useWhileShown } from '../../lib/page/use-while-shown.ts'
import { ReasonDialog } from '../../ui/dialog/reason-dialog.tsx'
import { useLaneActions } from './lane-queries.ts'
import { lanesMessages } from './lanes-messages.ts'

interface PauseDialogProps {
  lane: LaneRecord
  onClose: () => void
}

/** Pauses a lane, with a reason that others see. Rendered while it is open. */
export function PauseDialog({ lane, onClose }: PauseDialogProps) {
  const close = useWhileShown(onClose)
  const { pause } = useLaneActions()
  return (
    <ReasonDialog
      subject={lane.id}
      ask={() => ({
        title: `Pause ${lane.name}?`,
        confirmLabel: 'Pause lane',
        isHarmless: true,
      })}
      field={{
        name: 'reason',
        label: 'Reason',
        description: 'Shown with the lane and kept in the audit trail.',
        maxLength: 500,
        isRequired: true,
      }}
      more={{}}
      perform={async (id, reason) => {
        await pause.mutateAsync({ id, reason })
        notifySuccess(lanesMessages.paused)
      }}
      onClose={close}
    >
      {() => (
        <Text size="sm">
          No further run is started. Runs under way end. New runs are still taken, and wait.
        </Text>
      )}
    </ReasonDialog>
  )
}
