import { permissions } from '@gatehouse/contract/permissions'
import type { Chosen } from './permission-choice.ts'

export interface PermissionPreset {
  /** Also what a role made of it is called. */
  label: string
  permissions: readonly string[]
}

const matching = (pattern: RegExp) => permissions.filter((name) => pattern.test(name))

/** What roles often hold. */
const permissionPresets: readonly PermissionPreset[] = [
  { label: 'Reads logs only', permissions: matching(/^log\./) },
  { label: 'Sees everything, changes nothing', permissions: matching(/\.view$/) },
  {
    label: 'Sends tax documents',
    permissions: matching(
      /^(?:dashboard|tax|credit|run)\.|^workflow\.(?:view|run)$|^(?:api|endpoint)\.view$/,
    ),
  },
  {
    label: 'Registers APIs',
    permissions: matching(
      /^(?:dashboard|api|endpoint|context|request|api-permission)\.|^token\.(?:view|create|revoke)$|^role\.view$/,
    ),
  },
  {
    label: 'Watches the operation',
    permissions: matching(
      /^(?:dashboard|log)\.|^alarm\.(?:view|operate)$|^(?:api|endpoint|context|run|workflow|node|audit|archive|reconciliation)\.view$/,
    ),
  },
]

/** Those that the user could give to somebody. */
export const presetsWithin = (grantable: Chosen): PermissionPreset[] =>
  permissionPresets.filter((preset) => preset.permissions.every((name) => grantable.has(name)))

/** The preset with these permissions, exactly. */
export const presetOf = (chosen: Chosen): PermissionPreset | undefined =>
  permissionPresets.find(
    (preset) =>
      preset.permissions.length === chosen.size &&
      preset.permissions.every((name) => chosen.has(name)),
  )
