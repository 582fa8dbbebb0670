import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { DragEvent, KeyboardEvent } from 'react'
import classes from './mapping-rows.module.css'

/** What a row that is dragged is known by, so that nothing else is taken for one. */
const dragType = 'application/x-gatehouse-mapping-row'

export type MoveRow = (id: string, place: number) => void

/** Alt with ↑ or ↓ anywhere in a row moves it by one place. `number` counts from 1. */
export const moveByKey =
  (id: string, number: number, onMove: MoveRow) => (event: KeyboardEvent<HTMLElement>) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    // A select would open its list.
    event.stopPropagation()
    onMove(id, event.key === 'ArrowUp' ? number - 2 : number)
  }

/** A row that is dragged takes the place of the one that it is dropped on. */
export const dropOnto = (number: number, onMove: MoveRow) => ({
  onDragOver(event: DragEvent<HTMLElement>) {
    if (event.dataTransfer.types.includes(dragType)) event.preventDefault()
  },
  onDrop(event: DragEvent<HTMLElement>) {
    const id = event.dataTransfer.getData(dragType)
    if (id === '') return
    event.preventDefault()
    onMove(id, number - 1)
  },
})

interface RowHandleProps {
  id: string
  number: number
  onMove: MoveRow
}

/** Drags the row; with the keyboard the arrow keys alone move it. */
export function RowHandle({ id, number, onMove }: RowHandleProps) {
  return (
    <ActionIcon
      id={`${id}-handle`}
      component="button"
      variant="subtle"
      color="gray"
      size="sm"
      draggable
      className={classes['handle'] ?? ''}
      aria-label={`Move row ${number}`}
      title="Drag to move, or Alt+↑ and Alt+↓ in the row"
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, id)
        event.dataTransfer.effectAllowed = 'move'
      }}
      onKeyDown={(event) => {
        if (event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
        event.preventDefault()
        onMove(id, event.key === 'ArrowUp' ? number - 2 : number)
      }}
    >
      <IconGripVertical size={15} aria-hidden />
    </ActionIcon>
  )
}
