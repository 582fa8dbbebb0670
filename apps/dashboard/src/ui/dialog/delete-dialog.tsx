import type { ReactNode } from 'react'
import { ActionDialog } from './action-dialog.tsx'

interface DeleteDialogProps<Row> {
  /** The record to delete; undefined while the dialog is closed. */
  row: Row | undefined
  noun: string
  /** What else is deleted or stops working, or why the record can't be deleted. */
  renderConsequences: (row: Row) => ReactNode
  canGo?: (row: Row) => boolean
  remove: (row: Row) => Promise<unknown>
  /** Brings it back. Absent where that can't be done. */
  undo?: (row: Row) => Promise<unknown>
  /** Help after a refusal; null where the message is enough. */
  renderHelp?: (error: unknown) => ReactNode
  onClose: () => void
}

/** Deletes a record after a confirmation. */
export function DeleteDialog<Row>({ noun, canGo, remove, undo, ...rest }: DeleteDialogProps<Row>) {
  const done = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted successfully!`
  const texts = {
    title: `Delete this ${noun}?`,
    confirm: `Delete ${noun}`,
    ...(undo ? {} : { done }),
  }
  async function perform(row: Row) {
    await remove(row)
    if (!undo) return
    const { notifyUndo } = await import('./undo-toast.tsx')
    notifyUndo(done, () => undo(row))
  }
  return (
    <ActionDialog
      {...rest}
      {...(canGo ? { canBeDone: canGo } : {})}
      texts={texts}
      perform={perform}
    />
  )
}
