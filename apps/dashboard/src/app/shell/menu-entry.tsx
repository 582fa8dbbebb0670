import { IconPinned } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { AfterFirstPaint } from '../../lib/page/first-paint.ts'
import type { Screen } from '../screen.ts'
import classes from './shell-menu.module.css'

interface MenuEntryProps {
  screen: Screen
  current: Screen | undefined
  /** Puts it on top of the sidebar, or back into its group. */
  onPin: ((screen: Screen) => void) | undefined
  isPinned: boolean
}

export const MenuEntry = memo(
  Entry,
  // `onPin` is another function each time and does the same: it reads what is kept.
  (before, after) =>
    before.screen === after.screen &&
    before.current === after.current &&
    before.isPinned === after.isPinned,
)

function Entry({ screen, current, onPin, isPinned }: MenuEntryProps) {
  const isHere = current === screen
  const isBelow = current?.parent === screen.paths[0]
  const { icon: EntryIcon, mark: Mark, label } = screen.menu ?? {}
  return (
    <div className={classes['entry']} data-active={isHere || isBelow || undefined}>
      <Link
        className={classes['link']}
        to={screen.paths[0]}
        title={label}
        {...(isHere ? { 'aria-current': 'page' as const } : {})}
      >
        {EntryIcon && <EntryIcon size={18} stroke={1.6} aria-hidden />}
        <span className={classes['word']}>{label}</span>
        {Mark && (
          <AfterFirstPaint>
            <Mark />
          </AfterFirstPaint>
        )}
      </Link>
      {onPin && (
        <button
          className={classes['pin']}
          type="button"
          aria-pressed={isPinned}
          aria-label={`Pin ${label}`}
          title={isPinned ? 'Unpin' : 'Pin to the top'}
          // The Tab key stops only where it is in sight.
          tabIndex={isHere || isPinned ? 0 : -1}
          onClick={() => onPin(screen)}
        >
          <IconPinned size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}
