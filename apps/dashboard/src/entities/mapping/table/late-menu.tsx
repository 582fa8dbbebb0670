import { Menu } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import classes from './mapping-rows.module.css'

interface LateMenuProps {
  label: string
  /** What the button shows. */
  sign: string
  width?: number
  className?: string | undefined
  children: () => ReactNode
}

/** A button with a menu that is made when it is opened for the first time: a table has two in every row. */
export function LateMenu({ label, sign, width, className, children }: LateMenuProps) {
  const [isOpen, setIsOpen] = useState<boolean>()
  const button = (
    <button
      type="button"
      className={classes['small']}
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={isOpen ?? false}
      {...(isOpen === undefined ? { onClick: () => setIsOpen(true) } : {})}
    >
      {sign}
    </button>
  )
  if (isOpen === undefined) return button
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      opened={isOpen}
      onChange={setIsOpen}
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown className={className ?? ''}>{children()}</Menu.Dropdown>
    </Menu>
  )
}
