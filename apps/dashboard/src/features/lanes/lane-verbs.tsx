import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import type { LaneRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { useLaneActions } from './lane-queries.ts'
import { lanesMessages } from './lanes-messages.ts'

const PauseDialog = lazyPart(async () => (await import('./pause-dialog.tsx')).PauseDialog)

/** Pause, Resume and Drain, as far as the lane's state allows them. */
export function LaneVerbs({ lane }: { lane: LaneRecord }) {
  const [asked, setAsked] = useState<'pause' | 'drain'>()
  const { resume, drain } = useLaneActions()
  const isPaused = lane.paused !== null
  const isDraining = lane.state === 'draining'

  async function handleResume() {
    try {
      await resume.mutateAsync(lane.id)
      notifySuccess(lanesMessages.resumed)
    } catch (error) {
      notifyError('The lane was not resumed.', messageOf(error))
    }
  }
  const close = () => setAsked(undefined)
  const name = <VisuallyHidden> {lane.name}</VisuallyHidden>
  return (
    <Group gap="xs">
      {(isPaused || isDraining) && (
        <Button size="xs" loading={resume.isPending} onClick={() => void handleResume()}>
          Resume{name}
        </Button>
      )}
      {!isPaused && (
        <Button size="xs" variant="default" onClick={() => setAsked('pause')}>
          Pause{name}
        </Button>
      )}
      {!isDraining && !isPaused && (
        <Button size="xs" variant="default" onClick={() => setAsked('drain')}>
          Drain{name}
        </Button>
      )}
      {asked === 'pause' && <PauseDialog lane={lane} onClose={close} />}
      <ActionDialog
        row={asked === 'drain' ? lane : undefined}
        texts={{
          title: `Drain ${lane.name}?`,
          confirm: 'Drain lane',
          done: lanesMessages.draining,
        }}
        renderConsequences={() => (
          <Text size="sm">
            Callers get 503 with Retry-After until the lane is resumed. What is queued is carried
            out.
          </Text>
        )}
        perform={() => drain.mutateAsync(lane.id)}
        onClose={close}
      />
    </Group>
  )
}
