import { Stack } from '@mantine/core'
import { messageOf } from '../../lib/calls/call-error.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { RetryNotice } from '../../ui/page/notice.tsx'
import { RunSteps } from './run-steps.tsx'
import { RunVerbs } from './actions/run-verbs.tsx'
import { useRunDetail } from './use-run-detail.ts'

/** A run in the middle of another screen: its steps, and what may be done about it. */
export function RunPanel({ id }: { id: number }) {
  const query = useRunDetail(id)
  if (query.isPending) return <Loading />
  if (query.isError) {
    return (
      <RetryNotice
        title="The run could not be loaded."
        reason={messageOf(query.error)}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return (
    <Stack gap="md">
      <RunSteps run={query.data} />
      <RunVerbs run={query.data} />
    </Stack>
  )
}
