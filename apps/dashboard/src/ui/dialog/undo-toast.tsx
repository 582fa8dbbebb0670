import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess, show } from '../../lib/page/notify.tsx'

/** How long an action can be undone. The clock stands while the pointer is over the toast. */
const undoMs = 10_000

let count = 0

/** Reports what was done and offers to undo it. `undo` throws where that is refused. */
export function notifyUndo(text: string, undo: () => Promise<unknown>): void {
  const toastId = `undo-${++count}`
  const close = async () => (await import('react-toastify')).toast.dismiss(toastId)
  const content = (
    <UndoLine text={text} undo={() => undoWithWords(undo)} close={() => void close()} />
  )
  show('success', content, '', { toastId, autoClose: undoMs, closeOnClick: false })
}

/** Undoes, and says how that went. */
export async function undoWithWords(undo: () => Promise<unknown>): Promise<void> {
  try {
    await undo()
    notifySuccess('Undone.')
  } catch (error) {
    notifyError('Not undone.', reasonOf(error))
  }
}

interface UndoLineProps {
  text: string
  undo: () => Promise<void>
  close: () => void
}

function UndoLine({ text, undo, close }: UndoLineProps) {
  const [isWorking, setIsWorking] = useState(false)
  async function handleUndo() {
    setIsWorking(true)
    await undo()
    close()
  }
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span>{text}</span>
      <Button
        size="compact-sm"
        variant="default"
        loading={isWorking}
        onClick={() => void handleUndo()}
      >
        Undo
      </Button>
    </Group>
  )
}
