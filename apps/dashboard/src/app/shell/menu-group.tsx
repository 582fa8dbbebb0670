import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import type { Screen } from '../screen.ts'
import type { MenuChoices } from './menu-choices.ts'
import { MenuEntry } from './menu-entry.tsx'
import classes from './shell-menu.module.css'

interface MenuGroupProps {
  name: string
  members: readonly Screen[]
  current: Screen | undefined
  choices: MenuChoices
}

/** A group of the sidebar, with what is rarely used behind _Rarely used_. */
export function MenuGroup({ name, members, current, choices }: MenuGroupProps) {
  if (members.length === 0) return null
  const isRare = ({ menu }: Screen) => menu?.isRare === true
  const entriesOf = (screens: readonly Screen[]) =>
    screens.map((screen) => (
      <MenuEntry
        key={screen.title}
        screen={screen}
        current={current}
        onPin={choices.togglePin}
        isPinned={false}
      />
    ))
  const rare = members.filter(isRare)
  const rareKey = `${name} more`
  return (
    <MenuFold
      label={name}
      className={classes['group']}
      isOpen={choices.isOpen(name, true)}
      onChange={(isOpen) => choices.setOpen(name, isOpen)}
      closed={entriesOf(members.filter((screen) => isHere(screen, current)))}
    >
      {entriesOf(members.filter((screen) => !isRare(screen)))}
      {rare.length > 0 && (
        <MenuFold
          label="Rarely used"
          className={classes['more']}
          isOpen={choices.isOpen(rareKey, false)}
          onChange={(isOpen) => choices.setOpen(rareKey, isOpen)}
          closed={entriesOf(rare.filter((screen) => isHere(screen, current)))}
        >
          {entriesOf(rare)}
        </MenuFold>
      )}
    </MenuFold>
  )
}

const isHere = (screen: Screen, current: Screen | undefined) =>
  current === screen || (current?.parent !== undefined && current.parent === screen.paths[0])

interface MenuFoldProps {
  label: string
  className: string | undefined
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  /** Stays in sight while it is closed: where the user is. */
  closed: ReactNode
  children: ReactNode
}

function MenuFold({ label, className, isOpen, onChange, closed, children }: MenuFoldProps) {
  const listId = useId()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <button
        className={className}
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => onChange(!isOpen)}
      >
        <span className={classes['word']}>{label}</span>
        <Chevron size={14} aria-hidden />
      </button>
      <div id={listId}>{isOpen ? children : closed}</div>
    </>
  )
}
