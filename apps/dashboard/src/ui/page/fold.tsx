import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './fold.module.css'

interface FoldProps {
  title: ReactNode
  isInitiallyOpen?: boolean
  /** Keeps it open while true; the user can close it once it is false. */
  isOpenWhen?: boolean
  /** Rendered only once it is opened. */
  children: ReactNode
}

/** A line that opens to show more; smaller than a panel. */
export function Fold(props: FoldProps) {
  const { title, isInitiallyOpen = false, isOpenWhen = false, children } = props
  const [isOpen, setIsOpen] = useState(isInitiallyOpen)
  if (isOpenWhen && !isOpen) setIsOpen(true)
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
