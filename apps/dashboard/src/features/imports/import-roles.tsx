import { Group, Input, MultiSelect, Text } from '@mantine/core'
import { BareCheckbox } from '../../ui/form/bare-checkbox.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import classes from './imports.module.css'
import type { RoleAccess } from './use-role-access.ts'

interface ImportRolesProps {
  access: RoleAccess
  error: string | undefined
}

/** More are chosen from a list that is searched. */
const boxesMax = 8

const hint =
  'Roles that get access to these endpoints. With none, only a Super Admin may call them.'

/** Who may call what is imported. */
export function ImportRoles({ access, error }: ImportRolesProps) {
  const { isPossible, roles, chosen, choose } = access
  if (!isPossible)
    return (
      <Text size="sm" c="dimmed">
        No role has access to new endpoints until somebody gives it.
      </Text>
    )
  const toggle = (id: number) =>
    choose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <FormCard title="Who may call" description={hint}>
      {roles.length <= boxesMax ? (
        <Input.Wrapper error={error}>
          <Group component="fieldset" className={classes['roles'] ?? ''} aria-label="Who may call">
            {roles.map(({ id, name }) => (
              <BareCheckbox
                key={id}
                label={<bdi>{name}</bdi>}
                isChecked={chosen.includes(id)}
                onToggle={() => toggle(id)}
              />
            ))}
          </Group>
        </Input.Wrapper>
      ) : (
        <MultiSelect
          aria-label="Who may call"
          data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
          searchable
          hidePickedOptions
          placeholder={chosen.length === 0 ? 'Choose one or more roles' : ''}
          nothingFoundMessage="No other role of that name"
          value={chosen.map(String)}
          error={error}
          onChange={(ids) => choose(ids.map(Number))}
        />
      )}
    </FormCard>
  )
}
