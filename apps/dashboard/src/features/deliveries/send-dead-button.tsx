import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { useSendDead } from './delivery-queries.ts'

/** Sends everything again that was given up for one receiver. */
export function SendDeadButton({ place }: { place: string }) {
  const [isAsking, setIsAsking] = useState(false)
  const sending = useSendDead()

  async function handleSend() {
    const { sent, left } = await sending.mutateAsync(place)
    setIsAsking(false)
    const more = left === 0 ? '' : ` ${left} are left.`
    notifySuccess(`${sent} deliveries are sent again.${more}`)
  }
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Send the dead again
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Send everything again that was given up?"
        confirmLabel="Send again"
        isHarmless
        isWorking={sending.isPending}
        {...(sending.isError ? { failure: messageOf(sending.error) } : {})}
        onConfirm={() => void handleSend().catch(() => {})}
        onClose={() => setIsAsking(false)}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          It goes to <bdi>{place}</bdi>, in its order, and is tried for 24 hours.
        </Text>
      </ConfirmDialog>
    </>
  )
}
