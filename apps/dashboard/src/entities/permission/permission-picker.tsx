import { Alert, Group, Text } from '@mantine/core'
import { useCallback, useDeferredValue, useId, useMemo, useState } from 'react'
import { BareCheckbox } from '../../ui/form/bare-checkbox.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import {
  boxState,
  countChosen,
  findPermissions,
  toggle,
  type Chosen,
  type PermissionGroup,
} from './permission-choice.ts'
import { PermissionGroupBox } from './permission-group-box.tsx'
import classes from './permission-picker.module.css'

interface PermissionPickerProps {
  groups: readonly PermissionGroup[]
  chosen: Chosen
  /** Those that may be set and cleared here. */
  grantable: Chosen
  /** Why the others may not, where there are others. */
  reason?: string
  /** Takes a function of the present choice, and stays the same one. */
  onChange: (change: (chosen: Chosen) => Chosen) => void
  error?: string | undefined
  /** The groups scroll by themselves, so that the rest of a dialog stays in reach. */
  isBounded?: boolean
}

/** All, a box for each group, and a box for each permission (spec: role-edit). */
export function PermissionPicker(props: PermissionPickerProps) {
  const { groups, chosen, grantable, reason, onChange, error, isBounded } = props
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search)
  const reasonId = useId()
  const names = useMemo(() => groups.flatMap(({ permissions }) => permissions), [groups])
  const shown = useMemo(() => findPermissions(groups, sought), [groups, sought])
  const byName = useMemo(() => new Map(groups.map((group) => [group.name, group])), [groups])
  const handleToggle = useCallback(
    (toggled: readonly string[]) => onChange((current) => toggle(toggled, current, grantable)),
    [onChange, grantable],
  )
  const state = boxState(names, chosen)
  const isPartlyHeld = names.some((name) => !grantable.has(name))
  return (
    <div>
      <Group justify="space-between" gap="sm" mb="sm">
        <Group gap="md">
          <BareCheckbox
            label={<b>All</b>}
            isChecked={state === 'checked'}
            isPartly={state === 'partly'}
            isDisabled={!names.some((name) => grantable.has(name))}
            onToggle={() => handleToggle(names)}
          />
          <Text size="sm" c="dimmed" aria-live="polite">
            {countChosen(names, chosen)} of {names.length} permissions
          </Text>
        </Group>
        <SearchBox label="Search permissions" value={search} onChange={setSearch} />
      </Group>
      {error !== undefined && (
        <Alert color="red" role="alert" mb="sm">
          {error}
        </Alert>
      )}
      <Text id={reasonId} size="xs" c="dimmed" mb="xs" hidden={!isPartlyHeld}>
        {reason}
      </Text>
      <div className={classes['groups']} data-bounded={isBounded || undefined}>
        {shown.map((match) => (
          <PermissionGroupBox
            key={match.name}
            group={byName.get(match.name) ?? match}
            shown={match.permissions}
            chosen={chosen}
            grantable={grantable}
            reasonId={reasonId}
            onToggle={handleToggle}
          />
        ))}
      </div>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" py="lg">
          No permission matches “{sought}”.
        </Text>
      )}
    </div>
  )
}
