import { useState, type ReactNode } from 'react'
import { messageOf } from '../lib/call-error.ts'
import { notifySuccess } from '../lib/notify.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

export interface ActionTexts {
  title: string
  /** Names the action, never just "OK". */
  confirm: string
  /** The toast after it. */
  done: string
}

interface ActionDialogProps<Row> {
  /** The record in question; undefined while nobody has asked. */
  row: Row | undefined
  texts: ActionTexts
  /** What else goes or stops working; or why it cannot be done. */
  renderConsequences: (row: Row) => ReactNode
  canBeDone?: (row: Row) => boolean
  perform: (row: Row) => Promise<unknown>
  /** What helps after a refusal, such as a link to what stands in the way; null for others. */
  renderHelp?: ((error: unknown) => ReactNode) | undefined
  onClose: () => void
}

/** Does something to a record after a confirmation; a refusal is shown in place, to be read. */
export function ActionDialog<Row>(props: ActionDialogProps<Row>) {
  const { row, texts, renderConsequences, canBeDone = () => true, perform, onClose } = props
  const { renderHelp } = props
  // The record fades out with the dialog: it must still be there to be drawn.
  const [shown, setShown] = useState(row)
  const [failure, setFailure] = useState<ReactNode>()
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
      await perform(row)
      notifySuccess(texts.done)
      handleClose()
    } catch (error) {
      setFailure(
        <>
          {messageOf(error)} {renderHelp?.(error)}
        </>,
      )
    } finally {
      setIsWorking(false)
    }
  }

  return (
    <ConfirmDialog
      isOpen={row !== undefined}
      title={texts.title}
      confirmLabel={shown !== undefined && canBeDone(shown) ? texts.confirm : undefined}
      isWorking={isWorking}
      failure={failure}
      onConfirm={() => void handleConfirm()}
      onClose={handleClose}
    >
      {shown !== undefined && renderConsequences(shown)}
    </ConfirmDialog>
  )
}
