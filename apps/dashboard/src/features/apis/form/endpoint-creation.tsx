import { Badge, Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { MethodBadge } from '../../../entities/endpoint/method-badge.tsx'
import { paths } from '../../../entities/paths.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import classes from './endpoint-creation.module.css'
import type { Creation, CreationRow } from './use-endpoint-creation.ts'

interface EndpointCreationProps {
  creation: Creation
  onRetry: () => void
}

/** What becomes of the endpoints of an API that was just created. */
export function EndpointCreation({ creation, onRetry }: EndpointCreationProps) {
  const { apiId, apiName, isRunning, rows } = creation
  const failed = rows.filter(({ state }) => state === 'failed').length
  return (
    <FormCard title={`Endpoints of ${apiName}`} description="The API is saved.">
      <ul
        className={classes['list']}
        aria-label="Endpoints"
        aria-live="polite"
        aria-busy={isRunning}
      >
        {rows.map((row) => (
          <Row key={row.endpoint.path} row={row} />
        ))}
      </ul>
      {!isRunning && failed > 0 && (
        <>
          <Text size="sm">
            {failed === 1 ? 'One endpoint was' : `${failed} endpoints were`} not created. Try again,
            or add {failed === 1 ? 'it' : 'them'} later under Endpoints.
          </Text>
          <Group gap="sm">
            <Button onClick={onRetry}>Try again</Button>
            <Button component={Link} to={paths.apiEdit(apiId)} variant="default">
              Open the API
            </Button>
            <Button component={Link} to={paths.apis} variant="default">
              To the list of APIs
            </Button>
          </Group>
        </>
      )}
    </FormCard>
  )
}

const stateWords: Record<CreationRow['state'], { text: string; color: string }> = {
  waiting: { text: 'waiting', color: 'gray' },
  creating: { text: 'being created', color: 'petrol' },
  created: { text: 'created', color: 'green' },
  failed: { text: 'not created', color: 'red' },
}

function Row({ row: { endpoint, state, reason } }: { row: CreationRow }) {
  const { text, color } = stateWords[state]
  return (
    <li className={classes['item']}>
      <MethodBadge method={endpoint.method_type} />
      <span className={classes['path']}>{endpoint.path}</span>
      <Badge color={color}>{text}</Badge>
      {reason !== '' && (
        <Text size="sm" c="red" className={classes['reason'] ?? ''}>
          {reason}
        </Text>
      )}
    </li>
  )
}
