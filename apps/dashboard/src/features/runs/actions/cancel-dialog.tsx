import { Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { ActionDialog } from '../../../ui/dialog/action-dialog.tsx'
import { useRunActions } from './run-actions.ts'

interface CancelDialogProps {
  run: RunDetail
  isOpen: boolean
  onClose: () => void
}

/** Takes a queued run out of its lane. */
export function CancelDialog({ run, isOpen, onClose }: CancelDialogProps) {
  const { cancel } = useRunActions(run.id)
  return (
    <ActionDialog
      row={isOpen ? run : undefined}
      texts={{
        title: `Cancel run ${run.id}?`,
        confirm: 'Cancel this run',
        done: `Run ${run.id} was cancelled.`,
      }}
      renderConsequences={() => (
        <Text size="sm">It is taken out of its lane. Nothing of it is sent any more.</Text>
      )}
      perform={cancel}
      onClose={onClose}
    />
  )
}
