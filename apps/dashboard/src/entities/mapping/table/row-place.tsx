import type { DragEvent, KeyboardEvent } from 'react'
import type { SelectHow } from '../use-row-selection.ts'
import { fieldId, type RowActions } from '../use-mapping-rows.ts'
import classes from './mapping-rows.module.css'

/** What a row that is dragged is known by, so that nothing else is taken for one. */
const dragType = 'application/x-gatehouse-mapping-row'

type MoveRow = RowActions['move']

/** Alt with ↑ or ↓ anywhere in a row moves it by one place. `number` counts from 1. */
export function moveByKey(
  event: KeyboardEvent<HTMLElement>,
  id: string,
  number: number,
  onMove: MoveRow,
) {
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
  isSelected: boolean
  actions: RowActions
}

/**
 * The number of the row, by which it is dragged, and the box that selects it. With Shift all rows since the last
 * one are selected. On the number the arrow keys move the row, and Delete removes it.
 */
export function RowHandle({ id, number, isSelected, actions }: RowHandleProps) {
  const howOf = (event: { shiftKey: boolean }): SelectHow => (event.shiftKey ? 'range' : 'toggle')
  return (
    <>
      <button
        type="button"
        id={fieldId(id, 'handle')}
        draggable
        className={classes['handle']}
        aria-label={`Move row ${number}`}
        title="Drag to move, or Alt+↑ and Alt+↓ in the row"
        onDragStart={(event) => {
          event.dataTransfer.setData(dragType, id)
          event.dataTransfer.effectAllowed = 'move'
        }}
        onClick={(event) => {
          if (event.shiftKey || event.ctrlKey || event.metaKey) actions.select(id, howOf(event))
        }}
        onKeyDown={(event) => {
          if (event.key === 'Delete') actions.remove(id)
          if (event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          actions.move(id, event.key === 'ArrowUp' ? number - 2 : number)
        }}
      >
        {number}
      </button>
      <input
        type="checkbox"
        className={classes['box']}
        aria-label={`Select row ${number}`}
        checked={isSelected}
        onClick={(event) => actions.select(id, howOf(event))}
        // The click says whether Shift was held.
        onChange={() => {}}
      />
    </>
  )
}
