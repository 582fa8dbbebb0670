import { Link } from 'react-router'
import classes from './row-actions.module.css'

interface RowActionsProps {
  /** The record's name. Screen readers read it after the verb, so that each button differs. */
  name: string
  /** Absent where the user may not edit. */
  editPath?: string | undefined
  /** The screen for users who may view the record but not edit it. */
  viewPath?: string | undefined
  onDelete?: (() => void) | undefined
}

export function RowActions({ name, editPath, viewPath, onDelete }: RowActionsProps) {
  const path = editPath ?? viewPath
  return (
    <div className={classes['actions']}>
      {path !== undefined && (
        <Link to={path} className={actionClass}>
          {path === editPath ? 'Edit' : 'View'}
          <span className={classes['spoken']}> {name}</span>
        </Link>
      )}
      {onDelete && (
        <button type="button" className={`${actionClass} ${classes['delete']}`} onClick={onDelete}>
          Delete<span className={classes['spoken']}> {name}</span>
        </button>
      )}
    </div>
  )
}

// The first gives it the library's focus ring.
const actionClass = `mantine-focus-auto ${classes['action']}`
