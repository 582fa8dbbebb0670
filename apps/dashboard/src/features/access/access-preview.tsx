import { Alert, List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { AccessEndpoint, AccessChange } from '@gatehouse/contract'
import { messageOf } from '../../lib/call-error.ts'
import { accessQueries } from './access-queries.ts'
import { endpointLine, endpointName } from './endpoint-search.ts'

interface AccessPreviewProps {
  roleId: number
  /** Ids of the endpoints that are chosen at this moment. */
  endpoints: readonly number[]
}

const pauseMs = 300
const listedMax = 8

/** What saving would open and close, and for how many people, as the server sees it. */
export function AccessPreview({ roleId, endpoints }: AccessPreviewProps) {
  const [settled] = useDebouncedValue(endpoints, pauseMs)
  const preview = useQuery(accessQueries.preview(roleId, settled))
  const isBehind = settled !== endpoints || preview.isFetching
  if (preview.isError) {
    return (
      <Alert color="orange" title="What this would change could not be worked out">
        {messageOf(preview.error)}
      </Alert>
    )
  }
  if (!preview.data) return null
  const { opened, closed } = preview.data
  return (
    <Alert
      color={closed.length > 0 ? 'orange' : 'gray'}
      title={summarise(preview.data)}
      aria-live="polite"
      aria-busy={isBehind}
      style={{ opacity: isBehind ? 0.6 : 1 }}
    >
      <Endpoints title="Opens" endpoints={opened} />
      <Endpoints title="Closes" endpoints={closed} />
    </Alert>
  )
}

function Endpoints({ title, endpoints }: { title: string; endpoints: AccessEndpoint[] }) {
  if (endpoints.length === 0) return null
  const rest = endpoints.length - listedMax
  return (
    <>
      <Text size="sm" fw={600} mt={4}>
        {title}
      </Text>
      <List size="sm">
        {endpoints.slice(0, listedMax).map((endpoint) => (
          <List.Item key={endpoint.id}>
            {endpointName(endpoint)} ({endpointLine(endpoint)})
          </List.Item>
        ))}
        {rest > 0 && <List.Item>and {rest} more</List.Item>}
      </List>
    </>
  )
}

/** One sentence: "Opens 2 endpoints and closes 1 for 3 users." */
export function summarise({ opened, closed, users_count }: AccessChange): string {
  const changes = [
    ...(opened.length > 0 ? [`opens ${count(opened.length, 'endpoint')}`] : []),
    ...(closed.length > 0 ? [`closes ${count(closed.length, 'endpoint')}`] : []),
  ]
  if (changes.length === 0) return 'Saving changes nothing.'
  const whom = users_count === 0 ? 'no user yet: no user has this role' : count(users_count, 'user')
  return `Saving ${changes.join(' and ')} for ${whom}.`
}

const count = (number: number, noun: string) => (number === 1 ? `1 ${noun}` : `${number} ${noun}s`)
