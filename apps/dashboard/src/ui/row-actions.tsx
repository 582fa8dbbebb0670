import { Button, Group, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'

interface RowActionsProps {
  /** Which record: read out after the verb, so that the buttons of a table can be told apart. */
  name: string
  /** Absent where the user may not. */
  editPath?: string | undefined
  onDelete?: (() => void) | undefined
}

export function RowActions({ name, editPath, onDelete }: RowActionsProps) {
  return (
    <Group gap={6} wrap="nowrap">
      {editPath !== undefined && (
        <Button component={Link} to={editPath} variant="default" size="compact-sm">
          Edit<VisuallyHidden> {name}</VisuallyHidden>
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
