import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { language } from '../../lib/format/language.ts'
import { useCan } from '../../lib/session/session.tsx'
import { RoleSelect } from '../bulk/role-select.tsx'
import { useGrantWorkflow } from './use-grant-workflow.ts'
import { useWorkflowHolders } from './workflow-holders.ts'

const namedMax = 5

/** Whose tokens open a workflow, and access for one more role. Nothing for users who may not see access. */
export function WorkflowAccess({ id }: { id: number }) {
  const can = useCan()
  const holders = useWorkflowHolders(id)
  if (!can('api-permission.view') || !holders) return null
  return (
    <Stack gap="xs">
      <Holders names={holders.map(({ name }) => name)} />
      {can('api-permission.edit') && can('role.view') && <Grant workflowId={id} />}
    </Stack>
  )
}

function Holders({ names }: { names: readonly string[] }) {
  if (names.length === 0)
    return (
      <Text size="sm">No token opens this workflow yet: no role of a user has access to it.</Text>
    )
  const named = new Intl.ListFormat(language, { type: 'unit' }).format(names.slice(0, namedMax))
  const more = names.length - namedMax
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      Tokens of these users open it: <bdi>{named}</bdi>
      {more > 0 && <> and {more} more</>}.
    </Text>
  )
}

function Grant({ workflowId }: { workflowId: number }) {
  const [roleId, setRoleId] = useState('')
  const grant = useGrantWorkflow(() => setRoleId(''))
  return (
    <>
      <Group gap="xs" align="flex-end">
        <RoleSelect
          label="One more role"
          placeholder="Choose a role"
          size="xs"
          w={240}
          value={roleId}
          onChange={(id) => setRoleId(id ?? '')}
        />
        <Button
          size="xs"
          variant="light"
          leftSection={<IconKey size={14} aria-hidden />}
          loading={grant.isPending}
          disabled={roleId === ''}
          onClick={() => grant.mutate({ roleId: Number(roleId), workflowId })}
        >
          Give access
        </Button>
        {grant.isSuccess && (
          <Text size="sm" component="output">
            Access was given.
          </Text>
        )}
      </Group>
      {grant.isError && (
        <Alert color="red" role="alert" title="Access was not given">
          {reasonOf(grant.error)}
        </Alert>
      )}
    </>
  )
}
