import { Text } from '@mantine/core'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { useWhileShown } from '../../lib/page/use-while-shown.ts'
import { ReasonDialog } from '../../ui/dialog/reason-dialog.tsx'
import { useAlarmActions } from './alarm-queries.ts'
import { acknowledgedWords } from './alarms-messages.ts'

interface AcknowledgeDialogProps {
  ids: number[]
  onClose: () => void
}

/** Says that the user takes care of some alarms, with a note that others see. Rendered while open. */
export function AcknowledgeDialog({ ids, onClose }: AcknowledgeDialogProps) {
  const close = useWhileShown(onClose)
  const { acknowledge } = useAlarmActions()
  const one = ids.length === 1
  return (
    <ReasonDialog
      subject={ids.join(',')}
      ask={() => ({
        title: one ? 'Acknowledge this alarm?' : `Acknowledge ${ids.length} alarms?`,
        confirmLabel: 'Acknowledge',
        isHarmless: true,
      })}
      field={{
        name: 'note',
        label: 'Note',
        description: 'What you do about it. Blank is fine.',
        maxLength: 500,
      }}
      more={{}}
      perform={async (_, note) => {
        const { acknowledged } = await acknowledge.mutateAsync({ ids, note })
        notifySuccess(acknowledgedWords(acknowledged))
      }}
      onClose={close}
    >
      {() => (
        <Text size="sm">
          Your name is shown with {one ? 'it' : 'them'}. The channels are told nothing more until{' '}
          {one ? 'it is' : 'they are'} over.
        </Text>
      )}
    </ReasonDialog>
  )
}
