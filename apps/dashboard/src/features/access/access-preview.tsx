import { Alert, List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { AccessChange } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { endpointChoices, workflowChoices, type AccessChoice } from './access-choices.ts'
import { accessQueries, type ChosenAccess } from './access-queries.ts'

interface AccessPreviewProps {
  roleId: number
  chosen: ChosenAccess
}

const pauseMs = 300
const listedMax = 8

/** What saving would open and close, and for how many people, as the server sees it. */
export function AccessPreview({ roleId, chosen }: AccessPreviewProps) {
  const [settled] = useDebouncedValue(chosen, pauseMs)
  const preview = useQuery(accessQueries.preview(roleId, settled))
  const isBehind = settled !== chosen || preview.isFetching
  if (preview.isError) {
    return (
      <Alert color="orange" title="What this would change could not be worked out">
        {messageOf(preview.error)}
      </Alert>
    )
  }
  if (!preview.data) return null
  const { opened, closed, opened_workflows, closed_workflows } = preview.data
  const { opened_count, closed_count } = preview.data
  const closes = [...endpointChoices(closed), ...workflowChoices(closed_workflows)]
  return (
    <Alert
      color={closes.length > 0 ? 'orange' : 'gray'}
      title={summarise(preview.data)}
      aria-live="polite"
      aria-busy={isBehind}
      style={{ opacity: isBehind ? 0.6 : 1 }}
    >
      <Choices
        title="Opens"
        choices={[...endpointChoices(opened), ...workflowChoices(opened_workflows)]}
        count={opened_count + opened_workflows.length}
      />
      <Choices title="Closes" choices={closes} count={closed_count + closed_workflows.length} />
    </Alert>
  )
}

interface ChoicesProps {
  title: string
  choices: AccessChoice[]
  /** Of all, also of those that are not described. */
  count: number
}

function Choices({ title, choices, count: total }: ChoicesProps) {
  if (choices.length === 0) return null
  const rest = total - Math.min(choices.length, listedMax)
  return (
    <>
      <Text size="sm" fw={600} mt={4}>
        {title}
      </Text>
      <List size="sm">
        {choices.slice(0, listedMax).map(({ id, name, line }) => (
          <List.Item key={`${id} ${line}`}>
            {name} ({line})
          </List.Item>
        ))}
        {rest > 0 && <List.Item>and {rest} more</List.Item>}
      </List>
    </>
  )
}

/** One sentence: "Opens 2 endpoints and closes 1 for 3 users." */
export function summarise(change: AccessChange): string {
  const opens = countsOf(change.opened_count, change.opened_workflows.length)
  const closes = countsOf(change.closed_count, change.closed_workflows.length)
  const changes = [...(opens ? [`opens ${opens}`] : []), ...(closes ? [`closes ${closes}`] : [])]
  if (changes.length === 0) return 'Saving changes nothing.'
  const { users_count } = change
  const whom = users_count === 0 ? 'no user yet: no user has this role' : count(users_count, 'user')
  const isLong = [opens, closes].some((each) => each.includes(' and '))
  return `Saving ${changes.join(isLong ? ', and ' : ' and ')} for ${whom}.`
}

const countsOf = (endpoints: number, workflows: number) =>
  [
    ...(endpoints > 0 ? [count(endpoints, 'endpoint')] : []),
    ...(workflows > 0 ? [count(workflows, 'workflow')] : []),
  ].join(' and ')

const count = (number: number, noun: string) => (number === 1 ? `1 ${noun}` : `${number} ${noun}s`)
