import { Button, Group, Text } from '@mantine/core'
import type { Chosen } from '../../entities/permission/permission-choice.ts'
import {
  presetOf,
  presetsWithin,
  type PermissionPreset,
} from '../../entities/permission/permission-presets.ts'

interface RolePresetsProps {
  chosen: Chosen
  grantable: Chosen
  onChoose: (preset: PermissionPreset) => void
}

/** Sets of permissions that roles often hold, each in one press. */
export function RolePresets({ chosen, grantable, onChoose }: RolePresetsProps) {
  const presets = presetsWithin(grantable)
  const current = presetOf(chosen)
  if (presets.length === 0) return null
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Start from
      </Text>
      {presets.map((preset) => (
        <Button
          key={preset.label}
          size="compact-sm"
          variant={preset === current ? 'light' : 'default'}
          aria-pressed={preset === current}
          onClick={() => onChoose(preset)}
        >
          {preset.label}
        </Button>
      ))}
    </Group>
  )
}
