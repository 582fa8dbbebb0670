import type { Icon } from '@tabler/icons-react'
import type { Permission } from '@gatehouse/contract'
import type { ComponentType } from 'react'

export interface Screen {
  /** Paths that show it; the first is the one that links lead to. */
  paths: [string, ...string[]]
  /** Shown in the breadcrumb and the window's title. */
  title: string
  /** `session`: every user who is signed in. */
  permission: Permission | 'session'
  /** Address of the list it belongs to. The breadcrumb shows that list before it. */
  parent?: string
  load: () => Promise<ComponentType>
  /**
   * What it asks for first where its address has no query: the page asks for that before its code is there
   * (`public/early.js`). What the screen itself does not ask for by the same URL is asked for in vain.
   */
  asks?: readonly string[]
  menu?: MenuEntry
}

interface MenuEntry {
  label: string
  icon: Icon
  group?: MenuGroup
  /** Behind the group's _Rarely used_. */
  isRare?: boolean
  /** Is shown beside the label: a number that asks for attention, or nothing. */
  mark?: ComponentType
}

/** The handle of a route inside the shell: the screen that it shows. */
export interface ScreenHandle {
  screen: Screen
}

/** Collapsible groups of the sidebar, in their order (spec: shell). */
export const menuGroups = ['Apis', 'Tax Integration', 'Users', 'Operations'] as const
type MenuGroup = (typeof menuGroups)[number]
