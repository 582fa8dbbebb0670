import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconKey } from '@tabler/icons-react'
import { useCan } from '../../lib/session/session.tsx'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { GrantersNote, refusalQuery } from './granters-note.tsx'
import { useGrantAccess } from './use-grant-access.ts'

interface GrantOfferProps {
  endpoint: { id: number; label: string }
  /** The token that was refused; absent: the signed-in user was refused. */
  tokenId?: number | undefined
  onGranted?: () => void
}

/** After a 403 for want of access: the grant for users who may give it, to others who that is. */
export function GrantOffer({ endpoint, tokenId, onGranted }: GrantOfferProps) {
  const can = useCan()
  const mayGrant = can('api-permission.edit') && can('api-permission.view')
  const query = useQuery({ ...refusalQuery('access', tokenId), enabled: mayGrant })
  const grant = useGrantAccess(onGranted)
  const roles = query.data?.roles ?? []
  if (grant.isSuccess)
    return (
      <Text size="sm" component="output">
        Access was given. Send the request again.
      </Text>
    )
  return (
    <Stack gap="xs">
      {!mayGrant && <GrantersNote missing="access" />}
      {mayGrant && query.isSuccess && roles.length === 0 && (
        <Text size="sm">The user has no role. Give the user a role first.</Text>
      )}
      {mayGrant && (
        <Group gap="xs">
          {roles.map(({ id, name }) => (
            <Button
              key={id}
              size="compact-sm"
              variant="light"
              h="auto"
              mih={26}
              styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
              leftSection={<IconKey size={14} />}
              loading={grant.isPending && grant.variables.roleId === id}
              disabled={grant.isPending}
              onClick={() => grant.mutate({ roleId: id, endpointIds: [endpoint.id] })}
            >
              Grant {name} access to {endpoint.label}
            </Button>
          ))}
        </Group>
      )}
      {grant.isError && (
        <Alert color="red" role="alert" title="Access was not given">
          {reasonOf(grant.error)}
        </Alert>
      )}
    </Stack>
  )
}
