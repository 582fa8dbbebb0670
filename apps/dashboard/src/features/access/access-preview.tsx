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

/** One sentence: "Saving opens 2 endpoints and closes 1 endpoint for 3 users." */
export function summarise(change: AccessChange): string {
  const opens = countsOf(change.opened_count, change.opened_workflows.length)
  const closes = countsOf(change.closed_count, change.closed_workflows.length)
  const whom = usersOf(change.users_count)
  if (opens === '' && closes === '') return 'Saving changes nothing.'
  if (closes === '') return `Saving opens ${opens} for ${whom}.`
  if (opens === '') return `Saving closes ${closes} for ${whom}.`
  const isLong = [opens, closes].some((each) => each.includes(' and '))
  return isLong
    ? `Saving opens ${opens}, and closes ${closes} for ${whom}.`
    : `Saving opens ${opens} and closes ${closes} for ${whom}.`
}

function countsOf(endpoints: number, workflows: number): string {
  if (endpoints > 0 && workflows > 0)
    return `${endpointsOf(endpoints)} and ${workflowsOf(workflows)}`
  if (endpoints > 0) return endpointsOf(endpoints)
  return workflows > 0 ? workflowsOf(workflows) : ''
}

const endpointsOf = (count: number) => (count === 1 ? '1 endpoint' : `${count} endpoints`)
const workflowsOf = (count: number) => (count === 1 ? '1 workflow' : `${count} workflows`)

function usersOf(count: number): string {
  if (count === 0) return 'no user yet: no user has this role'
  return count === 1 ? '1 user' : `${count} users`
}
