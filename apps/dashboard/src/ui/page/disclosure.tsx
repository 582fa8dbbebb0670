import { Paper, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useHold } from '../../lib/forms/form-hold.ts'
import { useAllShown } from '../table/all-shown.ts'
import classes from './disclosure.module.css'

interface DisclosureProps {
  title: string
  /** A line under the title, open or not. */
  note?: ReactNode
  /** A link to this place on the screen shows it open: `#try-it`. */
  anchor?: string
  /** Keeps it open while true; the user can close it once it is false. */
  isOpenWhen?: boolean
  /** Inside a card: without a frame of its own. */
  isInCard?: boolean
  /** Rendered, and so fetched, only once it is opened. */
  children: ReactNode
}

/** A panel that shows its title alone until it is opened. */
export function Disclosure(props: DisclosureProps) {
  const { title, note, anchor, isOpenWhen = false, isInCard = false, children } = props
  const { hash } = useLocation()
  const isLed = anchor !== undefined && hash === `#${anchor}`
  const { openPanels } = useHold()
  const [isOpen, setIsOpen] = useState(isOpenWhen || isLed || (openPanels?.has(title) ?? false))
  const isAllShown = useAllShown()
  const panel = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (isLed) panel.current?.scrollIntoView()
  }, [isLed])
  if (isOpenWhen && !isOpen) setIsOpen(true)

  function handleToggle(isNowOpen: boolean) {
    setIsOpen(isNowOpen)
    if (isNowOpen) openPanels?.add(title)
    else openPanels?.delete(title)
  }
  return (
    <Paper
      component="details"
      ref={panel}
      className={classes['panel'] ?? ''}
      data-in-card={isInCard || undefined}
      open={isOpen}
      onToggle={(event) => handleToggle(event.currentTarget.open)}
    >
      <summary className={classes['summary']}>
        <IconChevronRight className={classes['chevron']} size={16} aria-hidden />
        <div className={classes['heading']}>
          <Text component={isInCard ? 'h4' : 'h3'} className={classes['title'] ?? ''}>
            {title}
          </Text>
          {note !== undefined && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
      </summary>
      {(isOpen || isAllShown) && <div className={classes['content']}>{children}</div>}
    </Paper>
  )
}
