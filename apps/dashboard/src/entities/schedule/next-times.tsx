import { List, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { CallError } from '../../lib/calls/call-error.ts'
import { cronWords } from './cron-words.ts'
import { locale } from '../../lib/format/language.ts'

const delayMs = 300
/** Five moments and their title: what is below stays where it is while one types, and while it is clicked. */
const height = '8rem'

const timesOf = (cron: string, time_zone: string) =>
  queryOptions({
    queryKey: ['schedule-times', cron, time_zone],
    queryFn: async ({ signal }) =>
      (await call('POST /api/schedules/times', { body: { cron, time_zone }, signal })).times,
    retry: false,
    gcTime: 30_000,
  })

/** What an expression means, and its next moments in its own time zone, while it is typed. For users who may view workflows. */
export function NextTimes({ cron, zone }: { cron: string; zone: string }) {
  const [typed] = useDebouncedValue(cron, delayMs)
  const query = useQuery(timesOf(typed, zone))
  const refused = query.error instanceof CallError ? query.error.errors['cron']?.[0] : undefined
  if (refused !== undefined)
    return (
      <Text size="sm" c="var(--mantine-color-error)" mih={height}>
        {refused}
      </Text>
    )
  return (
    <Stack gap={4} mih={height} aria-live="polite">
      <Text size="sm" fw={600}>
        {cronWords(cron)}, {zone}
      </Text>
      {query.data && (
        <List size="sm" aria-label="Next moments" listStyleType="none">
          {query.data.map((at) => (
            <List.Item key={at}>{inZone(at, zone)}</List.Item>
          ))}
        </List>
      )}
      {query.data?.length === 0 && <Text size="sm">There is no further moment.</Text>}
    </Stack>
  )
}

function inZone(at: string, timeZone: string): string {
  const style = { timeZone, dateStyle: 'full', timeStyle: 'short' } as const
  try {
    return new Intl.DateTimeFormat(locale, style).format(new Date(at))
  } catch {
    return at
  }
}
