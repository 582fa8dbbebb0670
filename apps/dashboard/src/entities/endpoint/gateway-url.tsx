import { Code, Stack } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { useCan } from '../../lib/session/session.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'

const gatewayQuery = queryOptions({
  queryKey: ['gateway', 'url'],
  queryFn: async ({ signal }) => (await call('GET /api/gateway', { signal })).gateway_url,
  staleTime: Infinity,
})

/** Where clients reach `path`, to be copied. Who may not see the gateway sees the path alone. */
export function GatewayUrl({ path }: { path: string }) {
  const { data = '' } = useQuery({ ...gatewayQuery, enabled: useCan()('dashboard.view') })
  const url = `${data.replace(/\/$/, '')}${path}`
  return (
    <Stack gap={6} align="flex-start">
      <Code style={{ overflowWrap: 'anywhere' }} dir="ltr">
        {url}
      </Code>
      <CopyButton text={url} label="Copy" description="the gateway URL" />
    </Stack>
  )
}
