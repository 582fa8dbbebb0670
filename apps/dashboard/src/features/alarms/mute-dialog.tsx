import { Select, Stack, Text } from '@mantine/core'
import type { AlarmRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { useWhileShown } from '../../lib/page/use-while-shown.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { RadioChoice } from '../../ui/form/radio-choice.tsx'
import { useAlarmActions } from './alarm-queries.ts'

const spans = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
]
const hourMs = 3_600_000

/** Tells nothing about an alarm, or about everything of its rule, for a time. Rendered while open. */
export function MuteDialog({ alarm, onClose }: { alarm: AlarmRecord; onClose: () => void }) {
  const [hours, setHours] = useState('4')
  const [what, setWhat] = useState<'alarm' | 'rule'>('alarm')
  const close = useWhileShown(onClose)
  const { mute } = useAlarmActions()

  async function handleConfirm() {
    const until = new Date(Date.now() + Number(hours) * hourMs).toISOString()
    try {
      await mute.mutateAsync({ id: alarm.id, until, what })
    } catch {
      return
    }
    notifySuccess('Muted.')
    close()
  }
  return (
    <ConfirmDialog
      isOpen
      title="Mute for a time?"
      confirmLabel="Mute"
      isHarmless
      isWorking={mute.isPending}
      failure={mute.isError ? messageOf(mute.error) : undefined}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {serverWords(alarm.title)}
        </Text>
        <RadioChoice
          label="What"
          value={what}
          onChange={(value) => setWhat(value === 'rule' ? 'rule' : 'alarm')}
          description="It is still listed, and neither counted nor sent, also if it ends and comes back."
          inputWrapperOrder={['label', 'input', 'description']}
          choices={[
            { value: 'alarm', label: 'This alarm' },
            { value: 'rule', label: `Everything of the rule ${alarm.rule.name}` },
          ]}
        />
        <Select
          label="For"
          data={spans}
          value={hours}
          allowDeselect={false}
          onChange={(value) => setHours(value ?? '4')}
        />
      </Stack>
    </ConfirmDialog>
  )
}
