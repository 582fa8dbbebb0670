import { Alert, Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { FirstSteps } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import { GrantersNote } from '../../entities/access/granters-note.tsx'
import { useSampleService } from './first-steps-queries.ts'

/** An API of one's own, from what is at hand or by the form, or the sample service. */
export function ApiStep({ sample }: { sample: FirstSteps['sample'] }) {
  const start = useSampleService()
  const mayPaste = useCan()('endpoint.create')
  return (
    <>
      <Group gap="sm" mt="xs">
        {mayPaste && (
          <Button component={Link} to={paths.apiImport}>
            Paste a URL, curl or OpenAPI
          </Button>
        )}
        <Button component={Link} to={paths.apiCreate} variant={mayPaste ? 'default' : 'filled'}>
          Add Api
        </Button>
        {sample.refusal === null && (
          <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            Use the sample service
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        {sample.refusal === null
          ? 'No API at hand? The sample service is part of Gatehouse: invented invoices and an echo, on this machine alone.'
          : `The sample service is not available. ${sample.refusal}`}
      </Text>
      {start.isError && (
        <Alert color="red" role="alert" mt="xs" title="The sample service was not started">
          {reasonOf(start.error)}
        </Alert>
      )}
    </>
  )
}

export function EndpointStep({ apiId }: { apiId: number | undefined }) {
  const can = useCan()
  if (!can('endpoint.create')) return <NotAllowed permission="endpoint.create" />
  return (
    <Button
      component={Link}
      to={apiId === undefined ? paths.endpointCreate : `${paths.endpointCreate}?api=${apiId}`}
      mt="xs"
    >
      Add an endpoint
    </Button>
  )
}

/** Instead of a button that would be refused. */
export function NotAllowed({ permission }: { permission: string }) {
  return (
    <>
      <Text size="sm" mt="xs">
        None of your roles holds the permission {permission}.
      </Text>
      <GrantersNote missing="permission" />
    </>
  )
}
