import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import type { CallOutput, Routes } from '@gatehouse/contract'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { call } from '../../../lib/calls/call.ts'
import { useMutation } from '../../../lib/calls/use-mutation.ts'
import { listBodyOf, type ScheduleValues } from './schedule-values.ts'

type Tried = CallOutput<Routes['POST /api/schedules/try']>

interface TryListProps {
  values: ScheduleValues
  scheduleId: number | undefined
}

/** Fetches the list of the form and says what would start; nothing is stored. */
export function TryList({ values, scheduleId }: TryListProps) {
  const trying = useMutation({
    mutationFn: () =>
      call('POST /api/schedules/try', {
        body: {
          list: listBodyOf(values),
          ...(scheduleId === undefined ? {} : { schedule_id: scheduleId }),
        },
      }),
  })
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button
          variant="default"
          loading={trying.isPending}
          disabled={values.list.endpoint_id === null}
          onClick={() => trying.mutate()}
        >
          Try the list
        </Button>
        <Text size="xs" c="dimmed">
          Fetches it once. Nothing is started or stored.
        </Text>
      </Group>
      <div aria-live="polite">
        {trying.isError && (
          <Alert color="red" title="The list can’t be used">
            {messageOf(trying.error)}
          </Alert>
        )}
        {trying.data && <Result tried={trying.data} />}
      </div>
    </Stack>
  )
}

function Result({ tried }: { tried: Tried }) {
  const { found, old, known, watermark, rows } = tried
  const fresh = tried.new
  return (
    <Alert
      color={fresh > 0 ? 'green' : 'gray'}
      title={fresh === 1 ? '1 run would start' : `${fresh.toLocaleString('en')} runs would start`}
    >
      <Stack gap="xs">
        <Text size="sm">
          {found.toLocaleString('en')} found, {old.toLocaleString('en')} older than the watermark,{' '}
          {known.toLocaleString('en')} known.
          {watermark !== null && (
            <>
              {' '}
              The next watermark: <Code>{watermark}</Code>
            </>
          )}
        </Text>
        {rows.length > 0 && (
          <List size="sm" listStyleType="none" aria-label="First elements" spacing={6}>
            {rows.map(({ reference, input }) => (
              <List.Item key={`${reference} ${input}`} style={{ overflowWrap: 'anywhere' }}>
                {reference !== null && <strong>{reference} </strong>}
                <Code>{input}</Code>
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  )
}
