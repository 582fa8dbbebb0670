import { ActionIcon, FocusTrap } from '@mantine/core'
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconX,
} from '@tabler/icons-react'
import { useCan } from '../../lib/session/session.tsx'
import { useEscape } from '../../lib/page/use-escape.ts'
import { menuGroups, type Screen } from '../screen.ts'
import { screens } from '../screens.tsx'
import { useMenuChoices } from './menu-choices.ts'
import { MenuEntry } from './menu-entry.tsx'
import { MenuGroup } from './menu-group.tsx'
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

/** The sidebar: what is in no group and what the user has pinned, then the groups (spec: shell), as far as they may be seen. */
export function ShellMenu({ screen: current, isOpen, onClose, isFolded, onFold }: ShellMenuProps) {
  const can = useCan()
  useEscape(isOpen, onClose)
  const choices = useMenuChoices()
  const allowed = screens.filter((screen) => screen.menu && can(screen.permission))
  const pinned = allowed.filter(choices.isPinned)
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
            {[...allowed.filter(({ menu }) => !menu?.group), ...pinned].map((screen) => (
              <MenuEntry
                key={screen.title}
                screen={screen}
                current={current}
                onPin={screen.menu?.group && choices.togglePin}
                isPinned={choices.isPinned(screen)}
              />
            ))}
            {menuGroups.map((group) => (
              <MenuGroup
                key={group}
                name={group}
                members={allowed.filter(
                  (screen) => screen.menu?.group === group && !pinned.includes(screen),
                )}
                current={current}
                choices={choices}
              />
            ))}
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
