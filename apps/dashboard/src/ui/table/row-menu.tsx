import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

interface RowMenuProps {
  name: string
  /** What it opens from. */
  button: ComponentPropsWithRef<'button'>
  onDelete: () => void
}

/** What is rarely done to a row. It is open from the start: the press that asked for it has loaded it. */
export function RowMenu({ name, button, onDelete }: RowMenuProps) {
  return (
    <Menu defaultOpened position="bottom-end" shadow="md">
      <Menu.Target>
        <button {...button} />
      </Menu.Target>
      <Menu.Dropdown aria-label={`More for ${name}`}>
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
