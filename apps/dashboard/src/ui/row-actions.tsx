import { Button, Group, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'

interface RowActionsProps {
  /** Which record: read out after the verb, so that the buttons of a table can be told apart. */
  name: string
  /** Absent where the user may not. */
  editPath?: string | undefined
  /** Where it may be looked at by those who may not edit it. */
  viewPath?: string | undefined
  onDelete?: (() => void) | undefined
}

export function RowActions({ name, editPath, viewPath, onDelete }: RowActionsProps) {
  const path = editPath ?? viewPath
  return (
    <Group gap={6} wrap="nowrap">
      {path !== undefined && (
        <Button component={Link} to={path} variant="default" size="compact-sm">
          {path === editPath ? 'Edit' : 'View'}
          <VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      )}
      {onDelete && (
        <Button variant="subtle" color="red" size="compact-sm" onClick={onDelete}>
          Delete<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      )}
    </Group>
  )
}
