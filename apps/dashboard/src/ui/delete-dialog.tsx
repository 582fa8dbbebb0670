import type { ReactNode } from 'react'
import { ActionDialog } from './action-dialog.tsx'

interface DeleteDialogProps<Row> {
  /** The record in question; undefined while nobody has asked. */
  row: Row | undefined
  noun: string
  /** What else goes or stops working; or why it cannot go. */
  renderConsequences: (row: Row) => ReactNode
  canGo?: (row: Row) => boolean
  remove: (row: Row) => Promise<unknown>
  /** What helps after a refusal; null for refusals that need no more words. */
  renderHelp?: (error: unknown) => ReactNode
  onClose: () => void
}

/** Deletes a record after a confirmation. */
export function DeleteDialog<Row>({ noun, canGo, remove, ...rest }: DeleteDialogProps<Row>) {
  const texts = {
    title: `Delete this ${noun}?`,
    confirm: `Delete ${noun}`,
    done: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted successfully!`,
  }
  return (
    <ActionDialog
      {...rest}
      {...(canGo ? { canBeDone: canGo } : {})}
      texts={texts}
      perform={remove}
    />
  )
}
