import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './fold.module.css'

interface FoldProps {
  title: ReactNode
  isInitiallyOpen?: boolean
  /** Rendered only once it is opened. */
  children: ReactNode
}

/** A line that opens to show more; smaller than a panel. */
export function Fold({ title, isInitiallyOpen = false, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(isInitiallyOpen)
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={classes['summary']}>
        <IconChevronRight className={classes['chevron']} size={14} aria-hidden />
        {title}
      </summary>
      {isOpen && <div className={classes['content']}>{children}</div>}
    </details>
  )
}
