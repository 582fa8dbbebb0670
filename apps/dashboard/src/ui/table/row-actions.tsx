import { lazy, Suspense, useState, type ComponentPropsWithRef } from 'react'
import { Link } from 'react-router'
import { opens } from './open-row.ts'
import classes from './row-actions.module.css'

interface RowActionsProps {
  /** The record's name. Screen readers read it after the verb, so that each button differs. */
  name: string
  /** Absent where the user may not edit. */
  editPath?: string | undefined
  /** The screen for users who may view the record but not edit it. */
  viewPath?: string | undefined
  onDelete?: (() => void) | undefined
  /** Delete stands beside Edit, where the specification shows it there; else it is in a menu. */
  hasDelete?: boolean
}

export function RowActions(props: RowActionsProps) {
  const { name, editPath, viewPath, onDelete, hasDelete = false } = props
  const path = editPath ?? viewPath
  return (
    <div className={classes['actions']}>
      {path !== undefined && (
        <Link to={path} className={actionClass} {...opens}>
          {path === editPath ? 'Edit' : 'View'}
          <span className={classes['spoken']}> {name}</span>
        </Link>
      )}
      {onDelete && hasDelete && (
        <button type="button" className={`${actionClass} ${classes['delete']}`} onClick={onDelete}>
          Delete<span className={classes['spoken']}> {name}</span>
        </button>
      )}
      {onDelete && !hasDelete && <More name={name} onDelete={onDelete} />}
    </div>
  )
}

// Few rows are deleted, and the menu comes with all that places it.
const RowMenu = lazy(async () => ({ default: (await import('./row-menu.tsx')).RowMenu }))

/** A button until it is pressed: a list has up to a hundred. */
function More({ name, onDelete }: { name: string; onDelete: () => void }) {
  const [isWanted, setIsWanted] = useState(false)
  const button: ComponentPropsWithRef<'button'> = {
    type: 'button',
    className: `${actionClass} ${classes['more']}`,
    'aria-label': `More for ${name}`,
    'aria-haspopup': 'menu',
    children: '⋮',
  }
  if (!isWanted) return <button {...button} onClick={() => setIsWanted(true)} />
  return (
    <Suspense fallback={<button {...button} />}>
      <RowMenu name={name} button={button} onDelete={onDelete} />
    </Suspense>
  )
}

// The first gives it the library's focus ring.
const actionClass = `mantine-focus-auto ${classes['action']}`
