import { useState, type ReactNode } from 'react'
import { messageOf } from '../lib/call-error.ts'
import { notifySuccess } from '../lib/notify.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface DeleteDialogProps<Row> {
  /** The record in question; undefined while nobody has asked. */
  row: Row | undefined
  noun: string
  /** What else goes or stops working; or why it cannot go. */
  renderConsequences: (row: Row) => ReactNode
  canGo?: (row: Row) => boolean
  remove: (row: Row) => Promise<unknown>
  onClose: () => void
}

/** Deletes a record after a confirmation; a refusal is shown in place, so that it can be read. */
export function DeleteDialog<Row>(props: DeleteDialogProps<Row>) {
  const { row, noun, renderConsequences, canGo = () => true, remove, onClose } = props
  // The record fades out with the dialog: it must still be there to be drawn.
  const [shown, setShown] = useState(row)
  const [failure, setFailure] = useState<string>()
  const [isWorking, setIsWorking] = useState(false)
  if (row !== undefined && row !== shown) setShown(row)

  function handleClose() {
    setFailure(undefined)
    onClose()
  }

  async function handleConfirm() {
    if (row === undefined) return
    setIsWorking(true)
    setFailure(undefined)
    try {
      await remove(row)
      notifySuccess(`${noun} deleted successfully!`)
      handleClose()
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setIsWorking(false)
    }
  }

  return (
    <ConfirmDialog
      isOpen={row !== undefined}
      title={`Delete this ${noun}?`}
      confirmLabel={shown !== undefined && canGo(shown) ? `Delete ${noun}` : undefined}
      isWorking={isWorking}
      failure={failure}
      onConfirm={() => void handleConfirm()}
      onClose={handleClose}
    >
      {shown !== undefined && renderConsequences(shown)}
    </ConfirmDialog>
  )
}
