import { ActionIcon, FocusTrap } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconChevronDown,
  IconChevronRight,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconX,
} from '@tabler/icons-react'
import { memo, useId } from 'react'
import { Link } from 'react-router'
import { AfterFirstPaint } from '../../lib/first-paint.ts'
import { useCan } from '../../lib/session.tsx'
import { useEscape } from '../../lib/use-escape.ts'
import { menuGroups, type Screen } from '../screen.ts'
import { screens } from '../screens.tsx'
import classes from './shell-menu.module.css'

interface ShellMenuProps {
  /** The screen that is shown. */
  screen: Screen | undefined
  /** In a narrow window, where the open menu covers everything else. */
  isOpen: boolean
  onClose: () => void
  /** In a wide window: icons only. */
  isFolded: boolean
  onFold: () => void
}

/** The sidebar: plain links first, then the groups (spec: screens), without what the user may not see. */
export function ShellMenu({ screen: current, isOpen, onClose, isFolded, onFold }: ShellMenuProps) {
  const can = useCan()
  useEscape(isOpen, onClose)
  const allowed = screens.filter((screen) => screen.menu && can(screen.permission))
  return (
    <nav
      className={classes['navbar']}
      aria-label="Main"
      data-open={isOpen}
      data-folded={isFolded || undefined}
    >
      {/* The focus stays in an open menu. */}
      <FocusTrap active={isOpen}>
        <div className={classes['menu']}>
          <Brand isOpen={isOpen} onClose={onClose} isFolded={isFolded} onFold={onFold} />
          <div className={classes['entries']}>
            {allowed.map(
              (screen) =>
                !screen.menu?.group && (
                  <Entry key={screen.title} screen={screen} current={current} />
                ),
            )}
            {menuGroups.map((group) => {
              const members = allowed.filter((screen) => screen.menu?.group === group)
              return (
                members.length > 0 && (
                  <Group key={group} name={group} members={members} current={current} />
                )
              )
            })}
          </div>
        </div>
      </FocusTrap>
    </nav>
  )
}

function Brand({ isOpen, onClose, isFolded, onFold }: Omit<ShellMenuProps, 'screen'>) {
  const FoldIcon = isFolded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={classes['brand']}>
      <img src="/favicon.svg" alt="" />
      <span className={classes['word']}>Gatehouse</span>
      {isOpen ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          onClick={onClose}
          aria-label="Close menu"
          aria-expanded
        >
          <IconX size={20} aria-hidden />
        </ActionIcon>
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          onClick={onFold}
          aria-label={isFolded ? 'Expand the menu' : 'Collapse the menu'}
        >
          <FoldIcon size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

interface GroupProps {
  name: string
  members: Screen[]
  current: Screen | undefined
}

function Group({ name, members, current }: GroupProps) {
  const [isOpen, { toggle }] = useDisclosure(true)
  const listId = useId()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <button
        className={classes['group']}
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={toggle}
      >
        <span className={classes['word']}>{name}</span>
        <Chevron size={14} aria-hidden />
      </button>
      <div id={listId} hidden={!isOpen}>
        {members.map((screen) => (
          <Entry key={screen.title} screen={screen} current={current} />
        ))}
      </div>
    </>
  )
}

interface EntryProps {
  screen: Screen
  current: Screen | undefined
}

const Entry = memo(function Entry({ screen, current }: EntryProps) {
  const isHere = current === screen
  const isBelow = current?.parent === screen.paths[0]
  const { icon: EntryIcon, mark: Mark, label } = screen.menu ?? {}
  return (
    <Link
      className={classes['entry']}
      to={screen.paths[0]}
      title={label}
      data-active={isHere || isBelow || undefined}
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
  )
})
