import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { accountQueries } from './account-queries.ts'
import type { SecondFactorTask } from './second-factor-dialog.tsx'
import { usersMessages } from './users-messages.ts'

const SecondFactorDialog = lazyPart(
  async () => (await import('./second-factor-dialog.tsx')).SecondFactorDialog,
)

/** Whether the signed-in user's login asks for a code, and how to change that. */
export function OwnSecondFactor() {
  const query = useQuery(accountQueries.secondFactor())
  const [task, setTask] = useState<SecondFactorTask>()
  return (
    <FormCard
      title="Second factor"
      description="A code of an authenticator app, asked for at each login after your password."
    >
      <QueryLoader query={query} failureText={usersMessages.secondFactorNotLoaded} isInCard>
        {(found) => <State {...found} onTask={setTask} />}
      </QueryLoader>
      {task && <SecondFactorDialog task={task} onClose={() => setTask(undefined)} />}
    </FormCard>
  )
}

interface StateProps {
  since: string | null
  recovery_codes_left: number
  is_required: boolean
  onTask: (task: SecondFactorTask) => void
}

function State({ since, recovery_codes_left, is_required, onTask }: StateProps) {
  if (since === null) {
    return (
      <>
        <Text size="sm">
          {is_required
            ? 'It is off. A role of yours asks for it: your next login sets it up, if you do not do it now.'
            : 'It is off.'}
        </Text>
        <Group>
          <Button variant="default" onClick={() => onTask('set-up')}>
            Set up
          </Button>
        </Group>
      </>
    )
  }
  return (
    <>
      <Text size="sm">
        It is on since <Moment at={since} />.
      </Text>
      <Text size="sm">
        {recovery_codes_left === 1
          ? '1 recovery code is left.'
          : `${recovery_codes_left} recovery codes are left.`}
      </Text>
      {is_required && <Text size="sm">A role of yours asks for a second factor.</Text>}
      <Group>
        <Button variant="default" onClick={() => onTask('codes')}>
          New recovery codes
        </Button>
        {!is_required && (
          <Button variant="subtle" color="red" onClick={() => onTask('turn-off')}>
            Turn off
          </Button>
        )}
      </Group>
    </>
  )
}
