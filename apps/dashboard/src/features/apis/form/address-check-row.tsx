import { Button, Group, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import type { AddressCheck } from '@gatehouse/contract'
import { call } from '../../../lib/calls/call.ts'
import { reasonOf } from '../../../lib/calls/call-error.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { useMutation } from '../../../lib/calls/use-mutation.ts'
import { Moment } from '../../../ui/text/moment.tsx'

interface AddressCheckRowProps {
  /** Undefined while the API is new. */
  apiId: number | undefined
  url: string
}

/** Says whether the server reaches the base URL, before it is saved. */
export function AddressCheckRow({ apiId, url }: AddressCheckRowProps) {
  const can = useCan()
  const check = useMutation({
    mutationFn: (wanted: string) =>
      apiId === undefined
        ? call('POST /api/apis/check-address', { body: { url: wanted } })
        : call('POST /api/apis/:id/check-address', {
            params: { id: apiId },
            body: { url: wanted },
          }),
  })
  if (!can(apiId === undefined ? 'api.create' : 'api.edit')) return null
  // What was found of one address says nothing about another.
  const isOfThis = check.variables === url
  return (
    <Group gap="sm">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlugConnected size={14} />}
        disabled={url.trim() === ''}
        loading={check.isPending}
        onClick={() => check.mutate(url)}
      >
        Check
      </Button>
      <Text size="sm" component="output" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
        {isOfThis && check.isSuccess && <Found check={check.data} />}
        {isOfThis && check.isError && reasonOf(check.error)}
      </Text>
    </Group>
  )
}

function Found({ check }: { check: AddressCheck }) {
  const { is_reached, reason, address, took_ms, certificate } = check
  if (!is_reached) return <>Not reached: {reason}</>
  return (
    <>
      Reached {address} in {took_ms} ms.{' '}
      {certificate && (
        <>
          Certificate of <bdi>{certificate.subject}</bdi> by <bdi>{certificate.issuer}</bdi>, valid
          until <Moment at={certificate.valid_until} isDay />.
        </>
      )}
    </>
  )
}
