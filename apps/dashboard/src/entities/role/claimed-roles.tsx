import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import type { FormPart } from '../../lib/forms/form-part.ts'
import { FormCard } from '../../ui/form/form-card.tsx'

export interface GivenRole {
  id: number
  name: string
}

export interface ClaimedRole {
  value: string
  role_id: string | null
}

interface ClaimedRolesProps {
  /** What they are for. */
  description: ReactNode
  roles: readonly GivenRole[]
  part: FormPart<ClaimedRole[]>
  /** About the list as a whole. */
  problem: ReactNode
  claim: ComponentProps<typeof TextInput>
}

const rolesMax = 50

/** Which values of a claim stand for which role. */
export function ClaimedRoles({ description, roles, part, problem, claim }: ClaimedRolesProps) {
  return (
    <FormCard title="Roles" description={description}>
      <TextInput
        label="Claim"
        description="Its name, or the way to it with dots between: realm_access.roles"
        {...claim}
      />
      <Stack gap="sm">
        {part.values.map((row, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the fields hold no state
          <Group key={at} align="flex-start" gap="sm" wrap="nowrap">
            <TextInput
              aria-label={`Value ${at + 1}`}
              placeholder="Value"
              spellCheck={false}
              dir="ltr"
              style={{ flex: 1, minWidth: 0 }}
              value={row.value}
              onChange={(event) => part.set(`${at}.value`, event.currentTarget.value)}
              error={part.errorOf(`${at}.value`)}
            />
            <Select
              aria-label={`Role ${at + 1}`}
              placeholder="Role"
              data={choicesFor(roles, row.role_id)}
              searchable
              style={{ flex: 1, minWidth: 0 }}
              value={row.role_id}
              onChange={(id) => part.set(`${at}.role_id`, id)}
              error={part.errorOf(`${at}.role_id`)}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="input-sm"
              aria-label={`Remove role ${at + 1}`}
              onClick={() => part.remove('', at)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {problem && (
          <Text size="sm" c="red" role="alert">
            {problem}
          </Text>
        )}
        {part.values.length < rolesMax && (
          <div>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              onClick={() => part.append('', { value: '', role_id: null })}
            >
              Add role
            </Button>
          </div>
        )}
        <Text size="xs" c="dimmed">
          The value * stands for everybody of this issuer.
        </Text>
      </Stack>
    </FormCard>
  )
}

/** A role that the user may not give stays chosen where it was given before. */
function choicesFor(roles: readonly GivenRole[], chosen: string | null) {
  const data = roles.map(({ id, name }) => ({ value: String(id), label: name }))
  const isKnown = chosen === null || data.some(({ value }) => value === chosen)
  return isKnown ? data : [...data, { value: chosen, label: `Role ${chosen}` }]
}
