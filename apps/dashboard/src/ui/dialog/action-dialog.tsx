import { useRef, useState, type ReactNode } from 'react'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface ActionTexts {
  title: string
  /** Names the action, never just "OK". */
  confirm: string
  /** The toast after it. Absent: `perform` reports what was done. */
  done?: string
}

interface ActionDialogProps<Row> {
  /** The record that the action is for; undefined while the dialog is closed. */
  row: Row | undefined
  texts: ActionTexts
  /** What else is deleted or stops working, or why the action is impossible. */
  renderConsequences: (row: Row) => ReactNode
  canBeDone?: (row: Row) => boolean
  /** Nothing can be lost: the button is not red. */
  isHarmless?: boolean
  /** Shows a table. */
  isWide?: boolean
  perform: (row: Row) => Promise<unknown>
  /** Help after a refusal, such as a link to the record that blocks the action; null for others. */
  renderHelp?: ((error: unknown) => ReactNode) | undefined
  onClose: () => void
}

/**
 * Asks for a confirmation, then performs an action on a record. Shows a refusal in the dialog, or in a toast
 * where the dialog was closed meanwhile.
 */
export function ActionDialog<Row>(props: ActionDialogProps<Row>) {
  const { row, texts, renderConsequences, canBeDone = () => true, perform, onClose } = props
  const { renderHelp, isHarmless = false, isWide = false } = props
  // The dialog still shows the record while it fades out.
  const [shown, setShown] = useState(row)
  const [failure, setFailure] = useState<ReactNode>()
  const [isWorking, setIsWorking] = useState(false)
  if (row !== undefined && row !== shown) setShown(row)

  const closings = useRef(0)
  function handleClose() {
    closings.current++
    setFailure(undefined)
    setIsWorking(false)
    onClose()
  }

  async function handleConfirm() {
    if (row === undefined) return
    setIsWorking(true)
    setFailure(undefined)
    // The answer may be late: by then the dialog may ask about another record.
    const before = closings.current
    const isStillOpen = () => closings.current === before
    try {
      await perform(row)
      if (texts.done !== undefined) notifySuccess(texts.done)
      if (isStillOpen()) handleClose()
    } catch (error) {
      if (!isStillOpen()) return notifyError(reasonOf(error))
      setIsWorking(false)
      setFailure(withHelp(reasonOf(error), renderHelp?.(error)))
    }
  }

  return (
    <ConfirmDialog
      isOpen={row !== undefined}
      title={texts.title}
      confirmLabel={shown !== undefined && canBeDone(shown) ? texts.confirm : undefined}
      isWorking={isWorking}
      isHarmless={isHarmless}
      isWide={isWide}
      failure={failure}
      onConfirm={() => void handleConfirm()}
      onClose={handleClose}
    >
      {shown !== undefined && renderConsequences(shown)}
    </ConfirmDialog>
  )
}

/** The message alone where there is no help, without a blank behind it. */
function withHelp(message: string, help: ReactNode): ReactNode {
  if (help === undefined || help === null) return message
  return (
    <>
      {message} {help}
    </>
  )
}
