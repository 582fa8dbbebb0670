import { AppShell, Burger, FocusTrap, NavLink } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { useCan } from '../../lib/session.tsx'
import { menuGroups, type Screen } from '../screen.ts'
import { screens } from '../screens.tsx'
import classes from './shell.module.css'

interface ShellMenuProps {
  /** The screen that is shown. */
  screen: Screen | undefined
  isOpen: boolean
  onClose: () => void
}

/** The sidebar: plain links first, then the groups (spec: screens), without what the user may not see. */
export function ShellMenu({ screen: current, isOpen, onClose }: ShellMenuProps) {
  const can = useCan()
  const allowed = screens.filter((screen) => screen.menu && can(screen.permission))
  return (
    <AppShell.Navbar
      className={classes['navbar'] ?? ''}
      aria-label="Main"
      data-open={isOpen}
      onKeyDown={(event) => event.key === 'Escape' && isOpen && onClose()}
    >
      {/* In a narrow window the open menu covers everything else: the focus stays in it. */}
      <FocusTrap active={isOpen}>
        <div className={classes['menu']}>
          <div className={classes['brand']}>
            <Burger
              hiddenFrom="sm"
              size="sm"
              opened={isOpen}
              onClick={onClose}
              aria-label="Close menu"
            />
            <img src="/favicon.svg" alt="" />
            Gatehouse
          </div>
          <div className={classes['entries']}>
            {allowed.map(
              (screen) =>
                !screen.menu?.group && (
                  <Entry key={screen.title} screen={screen} current={current} />
                ),
            )}
            {menuGroups.map((group) => {
              const members = allowed.filter((screen) => screen.menu?.group === group.name)
              return (
                members.length > 0 && (
                  <Group key={group.name} group={group} members={members} current={current} />
                )
              )
            })}
          </div>
        </div>
      </FocusTrap>
    </AppShell.Navbar>
  )
}

interface GroupProps {
  group: (typeof menuGroups)[number]
  members: Screen[]
  current: Screen | undefined
}

function Group({ group, members, current }: GroupProps) {
  const [isOpen, { toggle }] = useDisclosure(true)
  const listId = useId()
  const GroupIcon = group.icon
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <NavLink
        className={classes['entry'] ?? ''}
        component="button"
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={toggle}
        label={group.name}
        leftSection={<GroupIcon size={18} stroke={1.6} />}
        rightSection={<Chevron size={14} />}
        disableRightSectionRotation
      />
      <div id={listId} hidden={!isOpen} className={classes['members']}>
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

function Entry({ screen, current }: EntryProps) {
  const isHere = current === screen
  const isBelow = current?.parent === screen.paths[0]
  const { icon: EntryIcon, mark: Mark } = screen.menu ?? {}
  return (
    <NavLink
      className={classes['entry'] ?? ''}
      component={Link}
      to={screen.paths[0]}
      label={screen.menu?.label}
      leftSection={EntryIcon && <EntryIcon size={18} stroke={1.6} />}
      rightSection={Mark && <Mark />}
      disableRightSectionRotation
      active={isHere || isBelow}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
    />
  )
}
