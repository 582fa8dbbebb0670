import { Paper, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './disclosure.module.css'

interface DisclosureProps {
  title: string
  /** Rendered, and so fetched, only once it is opened. */
  children: ReactNode
}

/** A panel that shows its title alone until it is opened. */
export function Disclosure({ title, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Paper
      component="details"
      className={classes['panel'] ?? ''}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className={classes['summary']}>
        <IconChevronRight className={classes['chevron']} size={16} aria-hidden />
        <Text component="h3" className={classes['title'] ?? ''}>
          {title}
        </Text>
      </summary>
      {isOpen && <div className={classes['content']}>{children}</div>}
    </Paper>
  )
}
