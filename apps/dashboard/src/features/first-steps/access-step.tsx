import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import type { FirstSteps } from '@gatehouse/contract'
import { Link } from 'react-router'
import { GrantersNote } from '../../entities/access/granters-note.tsx'
import { useGrantAccess } from '../../entities/access/use-grant-access.ts'
import { paths } from '../../entities/paths.ts'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'

interface AccessStepProps {
  endpoint: NonNullable<FirstSteps['endpoint']>
  role: FirstSteps['client_role']
}

/** Gives the role of the gateway client access to every endpoint of the API. */
export function AccessStep({ endpoint, role }: AccessStepProps) {
  const can = useCan()
  const grant = useGrantAccess()
  if (!can('api-permission.edit') || !can('api-permission.view'))
    return <GrantersNote missing="access" />
  if (!role)
    return (
      <Text size="sm" mt="xs">
        The gateway client has no role.{' '}
        <Anchor component={Link} to={paths.users} inherit underline="always">
          Give it one
        </Anchor>
        , then give that role access.
      </Text>
    )
  const count = endpoint.siblings.length
  const what = count === 1 ? 'the endpoint' : `the ${count} endpoints`
  return (
    <>
      <Group gap="sm" mt="xs">
        <Button
          loading={grant.isPending}
          onClick={() => grant.mutate({ roleId: role.id, endpointIds: endpoint.siblings })}
        >
          Grant {role.name} access
        </Button>
        <Text size="sm" c="dimmed">
          to {what} of <bdi>{endpoint.api.name}</bdi>
        </Text>
      </Group>
      {grant.isError && (
        <Alert color="red" role="alert" mt="xs" title="Access was not given">
          {reasonOf(grant.error)}
        </Alert>
      )}
    </>
  )
}
