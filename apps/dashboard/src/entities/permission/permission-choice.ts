import type { RoleForm } from '@gatehouse/contract'
import { permissionGroupWords, permissionWords } from './permission-words.ts'

export type Chosen = ReadonlySet<string>
type BoxState = 'checked' | 'partly' | 'unchecked'

export interface PermissionGroup {
  name: string
  /** Names of the permissions, in the server's order. */
  permissions: readonly string[]
}

/** The groups that hold anything, in the server's order. */
export function toGroups({ allPermissions, groups }: RoleForm): PermissionGroup[] {
  const members = Map.groupBy(allPermissions, ({ group_name }) => group_name)
  return groups.flatMap(({ name }) => {
    const permissions = (members.get(name) ?? []).map((permission) => permission.name)
    return permissions.length === 0 ? [] : [{ name, permissions }]
  })
}

/** The names by group, both in the order of `order`. */
export function groupsOf(
  names: Iterable<string>,
  order: Readonly<Record<string, readonly string[]>>,
): PermissionGroup[] {
  const kept = new Set(names)
  return Object.entries(order).flatMap(([name, all]) => {
    const permissions = all.filter((permission) => kept.has(permission))
    return permissions.length === 0 ? [] : [{ name, permissions }]
  })
}

/** What the box of several permissions shows (spec: role-edit-states). */
export function boxState(names: readonly string[], chosen: Chosen): BoxState {
  const count = countChosen(names, chosen)
  if (count === 0) return 'unchecked'
  return count === names.length ? 'checked' : 'partly'
}

export function countChosen(names: readonly string[], chosen: Chosen): number {
  return names.reduce((count, name) => (chosen.has(name) ? count + 1 : count), 0)
}

/**
 * A click on a box: sets every permission it covers, or clears them once all are set. Those
 * that the user may not grant stay as they are. Returns a new set.
 */
export function toggle(names: readonly string[], chosen: Chosen, grantable: Chosen): Chosen {
  const changeable = names.filter((name) => grantable.has(name))
  const isSetting = changeable.some((name) => !chosen.has(name))
  const next = new Set(chosen)
  for (const name of changeable) {
    if (isSetting) next.add(name)
    else next.delete(name)
  }
  return next
}

/** Groups and permissions whose name or words hold the text; a group that matches is shown whole. */
export function findPermissions(
  groups: readonly PermissionGroup[],
  search: string,
): PermissionGroup[] {
  const text = search.trim().toLowerCase()
  const holds = (name: string, words: string | undefined) =>
    `${name} ${words ?? ''}`.toLowerCase().includes(text)
  return groups.flatMap((group) => {
    if (holds(group.name, permissionGroupWords[group.name])) return [group]
    const permissions = group.permissions.filter((name) => holds(name, permissionWords[name]))
    return permissions.length === 0 ? [] : [{ ...group, permissions }]
  })
}
