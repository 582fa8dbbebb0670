import { Button, Group, VisuallyHidden } from '@mantine/core'
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
    <Group gap={4} wrap="nowrap" ms={-6}>
      {path !== undefined && (
        <Button component={Link} to={path} variant="subtle" size="compact-sm" px={6}>
          {path === editPath ? 'Edit' : 'View'}
          <VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      )}
      {onDelete && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          px={6}
          className={classes['delete'] ?? ''}
          onClick={onDelete}
        >
          Delete<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      )}
    </Group>
  )
}
